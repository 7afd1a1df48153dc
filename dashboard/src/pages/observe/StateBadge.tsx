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
