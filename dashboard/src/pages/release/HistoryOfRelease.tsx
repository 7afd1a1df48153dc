import { actionWords, actorName, shareChange } from "@/format/actions";
import { sentence } from "@/format/format";
import { Panel } from "@/ui/Panel";
import { Sentence } from "@/ui/Sentence";
import { markOf } from "./marks";
import { strings } from "./strings";
import { useHistory } from "./useHistory";

/** A change of the share in numbers, anything else in words. */
function describe(id: number, { action, details }: { action: string; details: Record<string, unknown> }): string {
  const text = strings.history;
  const share = shareChange(details);
  if (share) return text.share(share);
  const mark = markOf(id, { action, details });
  if (action === "update.rollback") return mark?.tone === "bad" ? text.rolledBack : text.rolledBackTo;
  if (action === "update.patched" && mark) return mark.tone === "bad" ? text.off : text.on;
  return text.actions[action] ?? actionWords(action);
}

/** Why it was done; not again where the entry above says the same. */
function reasonOf(details: Record<string, unknown>, above: Record<string, unknown> | undefined): string | null {
  const { reason } = details;
  return typeof reason === "string" && reason && reason !== above?.reason ? sentence(reason) : null;
}

/** What people and Waft did with the release, newest first. */
export function HistoryOfRelease({ id }: { id: number }) {
  const query = useHistory(id);
  return (
    <Panel title={strings.history.title} query={query} isEmpty={(entries) => entries.length === 0} empty={<p className="text-muted">{strings.history.none}</p>}>
      {(entries) => (
        <ol className="divide-y">
          {entries.toReversed().map((entry, index, all) => (
            <li key={entry.id}>
              <Sentence at={entry.createdAt}>
                <span className="font-medium">{actorName(entry.actor)}</span> {describe(id, entry)}
                <span className="block text-muted">{reasonOf(entry.details, all[index - 1]?.details)}</span>
              </Sentence>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
