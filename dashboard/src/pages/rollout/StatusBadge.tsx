import { Badge } from "@/ui/Badge";
import { isHeld, toneOf, type Execution } from "./status";
import { strings } from "./strings";

/** The state of a rollout in a word; its sentence is the tip. */
export function StatusBadge({ execution }: { execution: Execution }) {
  return (
    <Badge tone={toneOf(execution)} title={execution.reason}>
      {isHeld(execution) ? strings.held : strings.status[execution.status]}
    </Badge>
  );
}
