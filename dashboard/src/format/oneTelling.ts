interface Entry {
  action: string;
  createdAt: string;
  details: Record<string, unknown>;
}

/** An entry of the audit log. */
interface Logged extends Entry {
  actorId: string;
  requestId: string;
  entityType: string;
  entityId: string;
}

/** An entry of a release's history. */
interface Noted extends Entry {
  actor: string;
}

/** Actions that summarize a change of several entries. If a change has several of these, the first in this list summarizes it. */
const telling = ["project.stopped", "project.resumed", "rollout.rolled_back", "rollout.cancelled", "rollout.stage_advanced", "update.rollback"];

/** The maximum time between entries of one change, in milliseconds. */
const apart = 5_000;

/**
 * Removes entries that another entry of the same change already covers. For example, a rollback is one entry, without the entries
 * for disabling the release and for publishing its successor. `isOne` reports whether two entries belong to one change.
 */
export function oneTelling<T extends Entry>(entries: T[], isOne: (a: T, b: T) => boolean): T[] {
  const rank = ({ action }: T) => (telling.includes(action) ? telling.indexOf(action) : telling.length);
  const isNear = (a: T, b: T) => Math.abs(Date.parse(a.createdAt) - Date.parse(b.createdAt)) <= apart;
  return entries.filter((entry) => !entries.some((other) => rank(other) < rank(entry) && isNear(other, entry) && isOne(other, entry)));
}

/** Reports whether two audit log entries belong to one change: to one request, or to one rollout with the same reason. */
export function isOneChange(a: Logged, b: Logged): boolean {
  if (a.actorId !== b.actorId || a.requestId !== b.requestId) return false;
  return a.requestId !== "" || (isSameReason(a, b) && rolloutOf(a) === rolloutOf(b));
}

/** Reports whether two entries of a release's history belong to one change: with the same reason, or of one manual rollback. */
export function isOneInHistory(a: Noted, b: Noted): boolean {
  const isOfRollback = ({ action }: Noted) => ["rollout.rolled_back", "update.rollback", "update.patched"].includes(action);
  return a.actor === b.actor && (isSameReason(a, b) || (a.actor !== "system" && isOfRollback(a) && isOfRollback(b)));
}

const isSameReason = (a: Entry, b: Entry) => Boolean(a.details.reason) && a.details.reason === b.details.reason;

function rolloutOf({ entityType, entityId, details }: Logged): string {
  return entityType === "rollout_execution" ? entityId : String(details.rolloutExecutionId ?? "");
}
