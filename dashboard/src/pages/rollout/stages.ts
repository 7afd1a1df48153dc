import { isOpen, type Execution } from "./status";

export type StageState = "done" | "current" | "ended" | "next" | "left";

/** Returns the state of a stage. If a rollout ended early, its last stage is `ended`, and later stages are `left`. */
export function stageState(execution: Pick<Execution, "status" | "stageIndex" | "percentage">, index: number): StageState {
  if (execution.status === "completed") return "done";
  if (index < execution.stageIndex) return "done";
  if (index === execution.stageIndex) return isOpen(execution) ? "current" : "ended";
  return isOpen(execution) ? "next" : "left";
}

/**
 * Returns how many milliseconds of the current stage's minimum time are left, or 0 if it is over. Returns null if the stage has no
 * minimum time or the rollout has ended. Also returns null while it is paused, because pauses do not count.
 */
export function timeLeft(execution: Pick<Execution, "status" | "stages" | "stageIndex" | "stageStartedAt">, now: number): number | null {
  const minutes = execution.stages[execution.stageIndex]?.minDurationMinutes;
  if (!minutes || execution.status !== "running") return null;
  return Math.max(0, Date.parse(execution.stageStartedAt) + minutes * 60_000 - now);
}
