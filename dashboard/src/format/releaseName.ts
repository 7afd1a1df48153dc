import { strings } from "@/strings";

/** The fields that identify a release to a person. Records of releases, rollouts and previews have them. */
export interface NamedRelease {
  updateId: number | null;
  releaseMessage: string;
  runtimeVersion: string;
  kind?: "update" | "rollback_to_embedded";
}

/** Returns the message of a release, or words in its place. */
export function releaseTitle({ releaseMessage, kind }: Pick<NamedRelease, "releaseMessage" | "kind">): string {
  // The first line is enough to recognize a release.
  const [first = ""] = releaseMessage.trim().split("\n");
  return first || (kind === "rollback_to_embedded" ? strings.release.toEmbedded : strings.release.unnamed);
}

/** Returns the name of a release: its message and version. */
export function releaseName(release: Pick<NamedRelease, "releaseMessage" | "kind" | "runtimeVersion">): string {
  return [releaseTitle(release), release.runtimeVersion].filter(Boolean).join(" · ");
}

/** Returns the number of a release for small print: #106. */
export function releaseNumber(id: number): string {
  return `#${id}`;
}

/** Returns the name of each release for a legend. Where names are equal, it appends the platform, and if needed the number. */
export function releaseLabels<T extends NamedRelease & { platform: string }>(releases: T[]): Map<number, string> {
  const labels = new Map<number, string>();
  const platforms = strings.platforms as Record<string, string>;
  for (const release of releases) {
    if (release.updateId === null) continue;
    const name = releaseName(release);
    const same = releases.filter((other) => other.updateId !== release.updateId && releaseName(other) === name);
    const platform = same.length > 0 ? (platforms[release.platform] ?? release.platform) : "";
    const number = same.some((other) => other.platform === release.platform) ? releaseNumber(release.updateId) : "";
    labels.set(release.updateId, [name, platform, number].filter(Boolean).join(" · "));
  }
  return labels;
}
