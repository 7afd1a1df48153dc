import type { Schemas } from "@/api/client";
import type { Release } from "@/api/releases";

/** Returns the releases that the device could get: the releases for its platform and runtime version. */
export function candidatesOf(releases: Release[], device: Pick<Schemas["Device"], "platform" | "runtimeVersion">): Release[] {
  return releases.filter((release) => release.platform === device.platform && release.runtimeVersion === device.runtimeVersion);
}

/** Parses a rollout percentage from the form. Returns null if it is not a number from 0 to 100. */
export function shareOf(text: string): number | null {
  const share = Number(text);
  return text.trim() !== "" && share >= 0 && share <= 100 ? share : null;
}
