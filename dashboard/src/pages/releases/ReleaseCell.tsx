import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { releaseNumber, releaseTitle } from "@/format/releaseName";
import { strings as frame } from "@/strings";

type Release = Schemas["Update"];

interface Props {
  project: string;
  release: Release;
  /** The releases of the same publish that the table shows together, with this release. */
  group: Release[];
}

/** Shows the name of a release. A publish of several platforms has one title above its first line, and a line per release. */
export function ReleaseCell({ project, release, group }: Props) {
  const title = releaseTitle(release);
  const severalChannels = group.some(({ channel }) => channel !== release.channel);
  const line = [
    release.runtimeVersion,
    frame.platforms[release.platform],
    severalChannels && (release.channel ?? release.branchName),
    release.gitCommitHash.slice(0, 7),
    releaseNumber(release.id),
  ]
    .filter(Boolean)
    .join(" · ");
  const to = { to: "/$project/releases/$id", params: { project, id: String(release.id) } } as const;
  if (group.length === 1) {
    return (
      <div className="min-w-0">
        <Link {...to} className="block truncate font-medium hover:underline">
          {title}
        </Link>
        <p className="truncate text-xs text-muted">{line}</p>
      </div>
    );
  }
  return (
    <div className="min-w-0">
      {group[0] === release && <p className="truncate font-medium">{title}</p>}
      <Link {...to} aria-label={`${title} · ${line}`} className="block min-h-6 truncate border-l-2 pl-2 text-xs leading-6 text-muted hover:text-ink hover:underline">
        {line}
      </Link>
    </div>
  );
}
