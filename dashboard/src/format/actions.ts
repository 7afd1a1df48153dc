import { strings } from "@/strings";
import { percent, sentence } from "./format";

/** Returns an actor's name within a sentence. The server names Waft itself "system". Where it names the key, the root key is "root". */
export function actorName(actor: string): string {
  if (actor === "system") return strings.product;
  return actor === "root" ? strings.rootKey : actor;
}

/** Returns an actor's name that stands alone or begins a sentence. */
export function actorTitle(actor: string): string {
  const name = actorName(actor);
  return name === strings.rootKey ? sentence(name) : name;
}

/** Returns the change of the rollout percentage from an entry's details, or null. */
export function shareChange(details: Record<string, unknown>): string | null {
  const change = details.rolloutPercentage;
  if (typeof change !== "object" || change === null) return null;
  const { before, after } = change as { before?: unknown; after?: unknown };
  return typeof before === "number" && typeof after === "number" ? `${percent(before)} → ${percent(after)}` : null;
}
