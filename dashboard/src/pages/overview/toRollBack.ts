import type { Stream } from "@/api/overview";

/**
 * Returns the ID of the release to roll back: the newest release that some devices get, which may be published for a percentage of
 * them. A rollout is rolled back instead, unless a newer release was published.
 */
export function toRollBack({ rollout, release, newestUpdateId }: Pick<Stream, "rollout" | "release" | "newestUpdateId">): number | undefined {
  const newest = newestUpdateId ?? release?.id;
  if (!rollout) return newest;
  // A release that is newer than the rollout's, and that only some devices get, was published without a rollout.
  return newest !== undefined && newest !== release?.id && newest > rollout.updateId ? newest : rollout.updateId;
}
