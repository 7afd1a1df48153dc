import { ago, dateTime } from "@/format/format";
import { useNow } from "@/format/useNow";
import { strings } from "@/strings";
import { cx } from "./cx";

/** Shows the age of data, in grey from 30 s on. `at` is in milliseconds. Without data it is 0, and the age is invisible. */
export function Age({ at }: { at: number }) {
  const now = useNow();
  const text = "text-2xs whitespace-nowrap";
  if (!at) {
    // Without the space, controls would move to another line when the age appears.
    return (
      <span aria-hidden className={cx(text, "invisible")}>
        {ago(now, now)}
      </span>
    );
  }
  const old = now - at > 30_000;
  return (
    <span className={cx(text, old ? "text-faint italic" : "text-muted")} title={strings.panel.age(dateTime(at))} data-old={old}>
      {ago(at, now)}
    </span>
  );
}
