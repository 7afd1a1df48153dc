import type { Schemas } from "@/api/client";

type Release = Schemas["Update"];

/** The releases of a platform and runtime version that can be promoted. */
export interface Candidates {
  key: string;
  platform: Release["platform"];
  runtimeVersion: string;
  /** The newest enabled release for every device. */
  proven?: Release;
  newest?: Release;
}

/** Returns the candidates per platform and runtime version. `releases` are releases of the branch, the newest of each first. */
export function candidatesOf(targets: Schemas["StreamOverview"][], releases: Release[]): Candidates[] {
  const all = new Map<string, Candidates>();
  const of = (release: Release) => {
    const key = `${release.platform} ${release.runtimeVersion}`;
    const found = all.get(key) ?? { key, platform: release.platform, runtimeVersion: release.runtimeVersion };
    all.set(key, found);
    return found;
  };
  for (const { release } of targets) if (release?.kind === "update") of(release).proven = release;
  for (const release of releases) if (release.kind === "update" && release.isEnabled) of(release).newest ??= release;
  return [...all.values()].sort((a, b) => a.platform.localeCompare(b.platform) || b.runtimeVersion.localeCompare(a.runtimeVersion, undefined, { numeric: true }));
}

/** Returns the ID of the release to promote: the person's choice, or the default; "" for none. */
export function chosenOf({ key, proven, newest }: Candidates, which: "proven" | "newest", picked: Record<string, string>): string {
  return picked[key] ?? String((which === "newest" ? (newest ?? proven) : proven)?.id ?? "");
}

/** Returns the channel that is offered first: production, or the first of the others. Among many channels, none of the others is. */
export function firstTarget(from: string, channels: { name: string }[], areMany: boolean): string {
  const others = channels.filter(({ name }) => name !== from);
  return (others.find(({ name }) => name === "production") ?? (areMany ? undefined : others[0]))?.name ?? "";
}
