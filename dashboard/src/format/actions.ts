import { strings } from "@/strings";
import { percent } from "./format";
import { actions } from "./strings";

/** What somebody did, in words: `update.created` is "published the release". A new action keeps its own name. */
export function actionWords(action: string): string {
  return actions[action] ?? action.replace(/[._]/g, " ");
}

/** An entry's action in words: somebody who accepts an invitation is added by themselves, and has joined. */
export function whatWasDone({ action, actorName, details }: Pick<Entry, "action" | "actorName" | "details">): string {
  return action === "member.added" && details.email === actorName ? actions["member.joined"]! : actionWords(action);
}

/** Who did it: Waft itself is logged as system. */
export function actorName(actor: string): string {
  return actor === "system" ? strings.product : actor;
}

/** How the share changed, out of an entry's details; null when it did not. */
export function shareChange(details: Record<string, unknown>): string | null {
  const change = details.rolloutPercentage;
  if (typeof change !== "object" || change === null) return null;
  const { before, after } = change as { before?: unknown; after?: unknown };
  return typeof before === "number" && typeof after === "number" ? `${percent(before)} → ${percent(after)}` : null;
}

interface Entry {
  action: string;
  actorName: string;
  entityId: string;
  details: Record<string, unknown>;
}

/** What it was done to, as people call it; its id where there is no name. Empty when it is who did it. */
export function subject({ action, actorName, entityId, details }: Entry): string {
  if (action === "session.created" || details.email === actorName) return "";
  for (const name of ["releaseMessage", "email", "name", "key", "userId", "flagKey", "channel", "policyName"]) {
    const value = details[name];
    if (typeof value === "string" && value) return value;
  }
  return entityId && `#${entityId}`.replace(/^#(?=\D)/, "");
}
