import { Link } from "@tanstack/react-router";
import { useApi, useProject } from "@/api/project";
import { actionWords, actorName, subject } from "@/format/actions";
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
              <span className="font-medium">{actorName(entry.actorName || entry.actorType)}</span> <span className="text-muted">{actionWords(entry.action)}</span>{" "}
              {subject(entry)}
            </Sentence>
          ))}
        </div>
      )}
    </Panel>
  );
}
