import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { AuditChanges } from "@/audit/AuditChanges";
import { AuditSentence } from "@/audit/AuditSentence";
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
              <AuditSentence entry={entry} />
              <AuditChanges entry={entry} />
            </Sentence>
          ))}
        </div>
      )}
    </Panel>
  );
}
