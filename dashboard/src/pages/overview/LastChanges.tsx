import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { Empty } from "@/ui/Empty";
import { Panel } from "@/ui/Panel";
import { Sentence } from "@/ui/Sentence";
import { strings } from "./strings";

/** The newest entries of the audit log. */
export function LastChanges() {
  const { slug } = useProject();
  const log = useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 8 } } });
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
              <span className="font-medium">{entry.actorName || entry.actorType}</span>{" "}
              <What entry={entry} /> <span className="font-mono text-xs">{entry.entityId}</span>
              {typeof entry.details.reason === "string" && <span className="block text-muted">{entry.details.reason}</span>}
            </Sentence>
          ))}
        </div>
      )}
    </Panel>
  );
}

/** What was done; of a rollout with a link to its page, which says more. */
function What({ entry }: { entry: Schemas["AuditEntry"] }) {
  const { slug } = useProject();
  const what = entry.action.replace(/[._]/g, " ");
  if (entry.entityType !== "rollout_execution") return <span className="text-muted">{what}</span>;
  return (
    <Link to="/$project/rollouts/$id" params={{ project: slug, id: entry.entityId }} className="text-link underline underline-offset-2">
      {what}
    </Link>
  );
}
