import { timeWithSeconds } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { useLiveState } from "@/live/state";
import { strings } from "@/strings";
import { cx } from "@/ui/cx";

const text = strings.live;

/** Shows whether the page follows the project's changes, or since when it does not. With `lostOnly` it shows only the latter. */
export function LiveNote({ lostOnly = false }: { lostOnly?: boolean }) {
  usePreferences();
  const { status, until } = useLiveState();
  if (lostOnly && status !== "lost") return null;
  const isLost = status === "lost";
  return (
    <p title={isLost ? text.lostTip : text.liveTip} className={cx("flex items-center gap-1.5 text-2xs", isLost ? "text-warn" : "text-faint")}>
      <span aria-hidden className={cx("size-1.5 shrink-0 rounded-full", status === "live" ? "bg-ok" : isLost ? "bg-warn" : "bg-edge")} />
      {isLost ? text.lost(timeWithSeconds(until)) : text[status]}
    </p>
  );
}
