import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { actorName, subject, whatWasDone } from "@/format/actions";
import { sentence } from "@/format/format";
import { Empty } from "@/ui/Empty";
import { Panel } from "@/ui/Panel";
import { Sentence } from "@/ui/Sentence";
import { strings } from "./strings";
import { useLastChanges } from "./useLastChanges";

/** Shows the newest entries of the audit log. */
export function LastChanges() {
  const { slug } = useProject();
  const log = useLastChanges();
  return (
    <Panel
      title={strings.changes}
      query={log}
      placeholder="h-64"
      isEmpty={(entries) => entries.length === 0}
      empty={<Empty title={strings.noChanges} />}
      actions={
        <Link to="/$project/audit" params={{ project: slug }} className="text-xs text-link underline underline-offset-2">
          {strings.changesAll}
        </Link>
      }
    >
      {(entries) => (
        <div className="divide-y">
          {entries.map((entry) => (
            <Sentence key={entry.id} at={entry.createdAt}>
              <span className="font-medium">{actorName(entry.actorType === "system" ? entry.actorType : entry.actorName)}</span> <What entry={entry} /> {subject(entry)}
              {typeof entry.details.reason === "string" && entry.details.reason && <span className="block text-muted">{sentence(entry.details.reason)}</span>}
            </Sentence>
          ))}
        </div>
      )}
    </Panel>
  );
}

/** Shows the action of an entry. For a rollout, links to its page with the details. */
function What({ entry }: { entry: Schemas["AuditEntry"] }) {
  const { slug } = useProject();
  const what = whatWasDone(entry);
  if (entry.entityType !== "rollout_execution") return <span className="text-muted">{what}</span>;
  return (
    <Link to="/$project/rollouts/$id" params={{ project: slug, id: entry.entityId }} className="text-link underline underline-offset-2">
      {what}
    </Link>
  );
}
