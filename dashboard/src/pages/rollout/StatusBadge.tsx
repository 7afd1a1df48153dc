import { Badge } from "@/ui/Badge";
import { isHeld, toneOf, type Execution } from "./status";
import { strings } from "./strings";

/** Shows the state of a rollout in a word, with the reason as the tooltip. */
export function StatusBadge({ execution }: { execution: Execution }) {
  return (
    <Badge tone={toneOf(execution)} title={execution.reason}>
      {isHeld(execution) ? strings.held : strings.status[execution.status]}
    </Badge>
  );
}
