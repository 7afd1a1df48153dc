import { Panel } from "@/ui/Panel";
import { Sentence } from "@/ui/Sentence";
import { strings } from "./strings";
import { useHistory } from "./useHistory";

/** What people and Waft did with the release, newest first. */
export function HistoryOfRelease({ id }: { id: number }) {
  const query = useHistory(id);
  return (
    <Panel title={strings.history.title} query={query} isEmpty={(entries) => entries.length === 0} empty={<p className="text-muted">{strings.history.none}</p>}>
      {(entries) => (
        <ol className="divide-y">
          {entries.toReversed().map((entry) => (
            <li key={entry.id}>
              <Sentence at={entry.createdAt}>
                <span className="font-medium">{entry.actor}</span> <code className="font-mono text-xs text-muted">{entry.action}</code>
                {typeof entry.details.reason === "string" && entry.details.reason && <span className="block text-muted">{entry.details.reason}</span>}
              </Sentence>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
