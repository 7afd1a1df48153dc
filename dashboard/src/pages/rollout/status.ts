import type { Schemas } from "@/api/client";
import type { Tone } from "@/ui/Badge";

export type Execution = Schemas["RolloutExecution"];
/** Reports whether the rollout still accepts commands. */
export function isOpen(execution: Pick<Execution, "status">): boolean {
  return execution.status === "running" || execution.status === "paused";
}

/** Reports whether the stage is held because a rate is above its threshold or cannot be evaluated. */
export function isHeld(execution: Pick<Execution, "status" | "waitingFor">): boolean {
  return execution.status === "running" && (execution.waitingFor === "threshold" || execution.waitingFor === "data" || execution.waitingFor === "networks");
}

export function toneOf(execution: Pick<Execution, "status" | "waitingFor">): Tone {
  if (isHeld(execution)) return "warn";
  switch (execution.status) {
    case "running":
      return "info";
    case "paused":
      return "warn";
    case "completed":
      return "ok";
    case "rolled_back":
      return "bad";
    default:
      return "plain";
  }
}
