import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useAttention } from "@/api/attention";
import { useProject } from "@/api/project";
import { dateTime } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { strings } from "./strings";

const text = strings.restore;

/** Says for a week that Waft was restored from a backup, and which rollouts wait for a person since. */
export function RestoreNote() {
  usePreferences();
  const { slug: project } = useProject();
  const restore = useAttention().data?.restore;
  if (!restore) return null;
  return (
    <section aria-label={text.title} className="flex items-start gap-3 rounded-lg border border-l-4 border-l-info bg-panel px-4 py-3 shadow-sm">
      <History size={16} aria-hidden className="mt-0.5 shrink-0 text-info" />
      <div className="min-w-0 break-words">
        <p className="font-medium">{text.from(dateTime(restore.backedUpAt, false), dateTime(restore.restoredAt, false))}</p>
        <p className="text-xs text-muted">{text.effect}</p>
        {restore.pausedRollouts > 0 && (
          <Link to="/$project/rollouts" params={{ project }} search={{ status: "paused" }} className="underline underline-offset-2">
            {text.paused(restore.pausedRollouts)}
          </Link>
        )}
      </div>
    </section>
  );
}
