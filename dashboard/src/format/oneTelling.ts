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

/** The entries that tell a change of many parts; the first of them that a change has does. */
const telling = ["project.stopped", "project.resumed", "rollout.rolled_back", "rollout.cancelled", "rollout.stage_advanced", "update.rollback"];

/** How far apart parts of one change are at most, in milliseconds. */
const apart = 5_000;

/**
 * Entries without those that only say again what another tells: a rollback is one entry, and not also that the release is
 * off, and that another one is in its place. `isOne` says which entries are of one change.
 */
export function oneTelling<T extends Entry>(entries: T[], isOne: (a: T, b: T) => boolean): T[] {
  const rank = ({ action }: T) => (telling.includes(action) ? telling.indexOf(action) : telling.length);
  const isNear = (a: T, b: T) => Math.abs(Date.parse(a.createdAt) - Date.parse(b.createdAt)) <= apart;
  return entries.filter((entry) => !entries.some((other) => rank(other) < rank(entry) && isNear(other, entry) && isOne(other, entry)));
}

/** Whether two entries of the audit log are of one change: of one request, or of a rollout that did both for the same reason. */
export function isOneChange(a: Logged, b: Logged): boolean {
  if (a.actorId !== b.actorId || a.requestId !== b.requestId) return false;
  return a.requestId !== "" || (isSameReason(a, b) && rolloutOf(a) === rolloutOf(b));
}

/** Whether two entries of a release's history are of one change: for the same reason, or of a rollback that somebody asked for. */
export function isOneInHistory(a: Noted, b: Noted): boolean {
  const isOfRollback = ({ action }: Noted) => ["rollout.rolled_back", "update.rollback", "update.patched"].includes(action);
  return a.actor === b.actor && (isSameReason(a, b) || (a.actor !== "system" && isOfRollback(a) && isOfRollback(b)));
}

const isSameReason = (a: Entry, b: Entry) => Boolean(a.details.reason) && a.details.reason === b.details.reason;

function rolloutOf({ entityType, entityId, details }: Logged): string {
  return entityType === "rollout_execution" ? entityId : String(details.rolloutExecutionId ?? "");
}
