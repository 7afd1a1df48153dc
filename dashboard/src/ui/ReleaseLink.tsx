import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { releaseName, type NamedRelease } from "@/format/releaseName";
import { strings } from "@/strings";
import { ReleaseNumber } from "./ReleaseNumber";

interface Props {
  /** null for the embedded update, and for an update that is not a release of the project. */
  release: NamedRelease | null;
  /** null for the embedded update, undefined if `release` is known. */
  uuid?: string | null;
}

/** Shows the name of a release as a link, or the update that is not a release of the project. */
export function ReleaseLink({ release, uuid = null }: Props) {
  const { slug: project } = useProject();
  if (release !== null && release.updateId !== null) {
    return (
      <Link
        to="/$project/releases/$id"
        params={{ project, id: String(release.updateId) }}
        className="inline-flex max-w-full min-w-0 flex-wrap items-baseline gap-x-1.5 align-bottom text-link hover:underline"
      >
        <span className="min-w-0 truncate" title={releaseName(release)}>
          {releaseName(release)}
        </span>
        <ReleaseNumber id={release.updateId} />
      </Link>
    );
  }
  if (uuid === null) return <span className="text-muted">{strings.embedded}</span>;
  return (
    <code className="font-mono text-xs" title={uuid}>
      {uuid.slice(0, 8)}
    </code>
  );
}
