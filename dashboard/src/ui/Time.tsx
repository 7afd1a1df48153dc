import { ago, dateTime } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { useNow } from "@/format/useNow";
import { strings } from "@/strings";

/** Shows how long ago a time was, with the exact time as the tooltip, or the exact time itself. */
export function Time({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  usePreferences();
  const now = useNow();
  if (!at) return <span className="text-faint">{strings.unknown}</span>;
  return (
    <time dateTime={at} title={exact ? ago(at, now) : dateTime(at)} className="whitespace-nowrap">
      {exact ? dateTime(at) : ago(at, now)}
    </time>
  );
}
