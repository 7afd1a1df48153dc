import { strings } from "@/strings";
import { percent } from "./format";

/** Returns the name of an entry's actor. The log has "system" for Waft itself. */
export function actorName(actor: string): string {
  return actor === "system" ? strings.product : actor;
}

/** Returns the change of the rollout percentage from an entry's details, or null. */
export function shareChange(details: Record<string, unknown>): string | null {
  const change = details.rolloutPercentage;
  if (typeof change !== "object" || change === null) return null;
  const { before, after } = change as { before?: unknown; after?: unknown };
  return typeof before === "number" && typeof after === "number" ? `${percent(before)} → ${percent(after)}` : null;
}
