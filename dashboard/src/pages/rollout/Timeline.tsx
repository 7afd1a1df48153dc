import { actorTitle } from "@/format/actions";
import { percent } from "@/format/format";
import { Sentence } from "@/ui/Sentence";
import { reasonOfEvent } from "./reason";
import type { Execution } from "./status";
import { strings } from "./strings";

/** Lists the rollout's events, newest first. */
export function Timeline({ execution }: { execution: Execution }) {
  return (
    <ol className="divide-y">
      {execution.timeline.toReversed().map((entry) => (
        <li key={entry.at + entry.event}>
          <Sentence at={entry.at}>
            <span className="font-medium">{actorTitle(entry.actor)}</span> {strings.timeline.events[entry.event]}
            <span className="text-muted"> · {strings.timeline.share(percent(entry.percentage))}</span>
            {entry.reason && <span className="block text-muted">{reasonOfEvent(execution, entry)}</span>}
          </Sentence>
        </li>
      ))}
    </ol>
  );
}
