import type { Schemas } from "@/api/client";
import { Badge, type Tone } from "@/ui/Badge";
import { strings } from "./strings";

type State = Schemas["ErrorGroup"]["state"];
const tones: Record<State, Tone> = { new: "bad", regressed: "warn", ongoing: "plain" };

export function StateBadge({ state }: { state: State }) {
  return (
    <Badge tone={tones[state]} title={strings.stateHints[state]}>
      {strings.states[state]}
    </Badge>
  );
}

type Status = Schemas["ErrorGroup"]["status"];
const statusTones: Record<Status, Tone> = { open: "plain", resolved: "ok", regressed: "bad" };

/** Shows whether people still have to work on an error group. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge tone={statusTones[status]} title={strings.statusHints[status]}>
      {strings.statuses[status]}
    </Badge>
  );
}
