import type { Schemas } from "@/api/client";
import { dateTime, percent, sentence } from "@/format/format";
import type { Execution } from "./status";
import { strings } from "./strings";

const text = strings.reason;
type Waiting = Pick<Execution, "wait" | "reason" | "stageIndex" | "stages">;

/** Returns the reason for the state of the rollout as a sentence. Times are in the person's zone. */
export function reasonOf(execution: Waiting): string {
  const { wait, reason, stageIndex } = execution;
  return wait ? text[wait.kind](stageName(execution, stageIndex), dateTime(wait.until)) : sentence(reason);
}

/** Returns the reason of an event in the rollout's timeline as a sentence. */
export function reasonOfEvent(execution: Waiting, event: Schemas["RolloutEvent"]): string {
  const { heldUntil, runsUntil } = event;
  if (heldUntil) return text.freeze(stageName(execution, event.toStage), dateTime(heldUntil));
  return runsUntil ? text.stage(stageName(execution, event.toStage), dateTime(runsUntil)) : sentence(event.reason);
}

function stageName({ stages }: Waiting, index: number): string {
  return text.stageName(index + 1, stages.length, percent(stages[index]?.percentage));
}
