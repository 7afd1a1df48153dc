import type { Schemas } from "@/api/client";
import type { Release } from "@/api/releases";

/** The releases that a share could bring to the device: those of its platform and runtime version. */
export function candidatesOf(releases: Release[], device: Pick<Schemas["Device"], "platform" | "runtimeVersion">): Release[] {
  return releases.filter((release) => release.platform === device.platform && release.runtimeVersion === device.runtimeVersion);
}

/** A share of the form as a number from 0 to 100; null when it is none. */
export function shareOf(text: string): number | null {
  const share = Number(text);
  return text.trim() !== "" && share >= 0 && share <= 100 ? share : null;
}
