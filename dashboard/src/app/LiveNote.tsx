import { useSyncExternalStore } from "react";
import { connection, lastHeard, watchConnection } from "@/api/connection";
import { timeWithSeconds } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { useLiveState } from "@/live/state";
import { strings } from "@/strings";
import { cx } from "@/ui/cx";

const text = strings.live;

/**
 * Shows whether the page follows the project's changes, or since when it does not. A page is not live either while the server does not
 * respond, before the event stream has been silent for long. With `lostOnly` it shows only pages that are not live.
 */
export function LiveNote({ lostOnly = false }: { lostOnly?: boolean }) {
  usePreferences();
  const { status, until } = useLiveState();
  const isSilent = useSyncExternalStore(watchConnection, connection) === "silent";
  const isLost = status === "lost" || isSilent;
  if (lostOnly && !isLost) return null;
  return (
    <p title={isLost ? text.lostTip : text.liveTip} className={cx("flex items-center gap-1.5 text-2xs", isLost ? "text-warn" : "text-faint")}>
      <span aria-hidden className={cx("size-1.5 shrink-0 rounded-full", isLost ? "bg-warn" : status === "live" ? "bg-ok" : "bg-edge")} />
      {isLost ? text.lost(timeWithSeconds(isSilent ? Math.max(until, lastHeard()) : until)) : text[status]}
    </p>
  );
}
