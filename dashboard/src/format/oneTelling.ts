interface Entry {
  action: string;
  changeId: string;
}

/** Actions that summarize a change of several entries. If a change has several of these, the first in this list summarizes it. */
const telling = ["project.stopped", "project.resumed", "rollout.rolled_back", "rollout.cancelled", "rollout.stage_advanced", "update.rollback"];

/**
 * Removes entries that another entry of the same change already covers. For example, a rollback is one entry, without the entries
 * for disabling the release and for publishing its successor. The server gives all entries of a change the same ID.
 */
export function oneTelling<T extends Entry>(entries: T[]): T[] {
  const rank = ({ action }: T) => (telling.includes(action) ? telling.indexOf(action) : telling.length);
  const first = new Map<string, number>();
  for (const entry of entries) first.set(entry.changeId, Math.min(rank(entry), first.get(entry.changeId) ?? telling.length));
  return entries.filter((entry) => rank(entry) === first.get(entry.changeId));
}
