import { isOpen, type Execution } from "./status";

export type StageState = "done" | "current" | "ended" | "next" | "left";

/** Where a stage of the rollout stands: `ended` is the one in which a rollout ended early, `left` those after it. */
export function stageState(execution: Pick<Execution, "status" | "stageIndex" | "percentage">, index: number): StageState {
  if (execution.status === "completed") return "done";
  if (index < execution.stageIndex) return "done";
  if (index === execution.stageIndex) return isOpen(execution) ? "current" : "ended";
  return isOpen(execution) ? "next" : "left";
}

/**
 * Milliseconds that are left of the least time of the stage that runs, 0 when it is over. null when the stage has
 * none, when the rollout has ended, or while it is paused: pauses do not count, so nobody knows.
 */
export function timeLeft(execution: Pick<Execution, "status" | "stages" | "stageIndex" | "stageStartedAt">, now: number): number | null {
  const minutes = execution.stages[execution.stageIndex]?.minDurationMinutes;
  if (!minutes || execution.status !== "running") return null;
  return Math.max(0, Date.parse(execution.stageStartedAt) + minutes * 60_000 - now);
}
