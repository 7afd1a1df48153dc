import { strings } from "@/strings";
import { percent } from "./format";
import { actions } from "./strings";

/** Returns an audit log action in words, such as "published" for `update.created`. An unknown action is shown by its name. */
export function actionWords(action: string): string {
  return actions[action] ?? action.replace(/[._]/g, " ");
}

/** Returns an entry's action in words. For a person who accepted an invitation, the actor is the new member: they "joined". */
export function whatWasDone({ action, actorName, details }: Pick<Entry, "action" | "actorName" | "details">): string {
  return action === "member.added" && details.email === actorName ? actions["member.joined"]! : actionWords(action);
}

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

interface Entry {
  action: string;
  actorName: string;
  entityId: string;
  details: Record<string, unknown>;
}

/** Returns the name of the record that an entry is about, or its ID if it has no name. Returns "" if the record is the actor. */
export function subject({ action, actorName, entityId, details }: Entry): string {
  if (action === "session.created" || details.email === actorName) return "";
  for (const name of ["releaseMessage", "email", "name", "key", "userId", "flagKey", "channel", "policyName"]) {
    const value = details[name];
    if (typeof value === "string" && value) return value;
  }
  return entityId && `#${entityId}`.replace(/^#(?=\D)/, "");
}
