import type { Schemas } from "@/api/client";

type Release = Schemas["BuildRelease"];

/** The place that a build was published to, with the newest release there. */
export interface Place {
  channel: string | null;
  branchName: string;
  release: Release;
}

/** Returns each channel, or branch without a channel, that the releases went to, with its newest release. The releases are newest first. */
export function placesOf(releases: Release[]): Place[] {
  const places = new Map<string, Place>();
  for (const release of releases) {
    const { channel, branchName } = release;
    const key = JSON.stringify([channel, channel === null && branchName]);
    if (!places.has(key)) places.set(key, { channel, branchName, release });
  }
  return [...places.values()];
}
