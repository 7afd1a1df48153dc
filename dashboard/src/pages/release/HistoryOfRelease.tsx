import { deed } from "@/audit/telling";
import { actorTitle, shareChange } from "@/format/actions";
import { sentence } from "@/format/format";
import { oneTelling } from "@/format/oneTelling";
import { Panel } from "@/ui/Panel";
import { Sentence } from "@/ui/Sentence";
import { markOf } from "./marks";
import { strings } from "./strings";
import { useHistory } from "./useHistory";

/** Describes an entry: a change of the rollout percentage in numbers, anything else in words. */
function describe(id: number, { action, details }: { action: string; details: Record<string, unknown> }): string {
  const text = strings.history;
  const share = shareChange(details);
  if (share) return text.share(share);
  const mark = markOf(id, { action, details });
  if (action === "update.rollback") return mark?.tone === "bad" ? text.rolledBack : text.rolledBackTo;
  if (action === "update.patched" && mark) return mark.tone === "bad" ? text.off : text.on;
  return deed({ action, details }, subjectOf(action));
}

function subjectOf(action: string): string {
  const [kind = ""] = action.split(".");
  return (strings.history.subjects as Record<string, string>)[kind] ?? strings.history.subjects.update;
}

/** Lists the actions of people and Waft on the release, newest first. */
export function HistoryOfRelease({ id }: { id: number }) {
  const query = useHistory(id);
  return (
    <Panel title={strings.history.title} query={query} isEmpty={(entries) => entries.length === 0} empty={<p className="text-muted">{strings.history.none}</p>}>
      {(entries) => (
        <ol className="divide-y">
          {oneTelling(entries.toReversed()).map((entry) => (
            <li key={entry.id}>
              <Sentence at={entry.createdAt}>
                <span className="font-medium">{actorTitle(entry.actor)}</span> {describe(id, entry)}
                {typeof entry.details.reason === "string" && entry.details.reason && <span className="block text-muted">{sentence(entry.details.reason)}</span>}
              </Sentence>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
