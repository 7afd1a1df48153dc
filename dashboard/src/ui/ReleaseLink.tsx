import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { strings } from "@/strings";

interface Props {
  /** null for the embedded update. */
  uuid: string | null;
  /** null or undefined if the release is unknown to the project or not loaded. */
  id: number | null | undefined;
}

/** Shows the release that a device runs, as a link if the release is known. */
export function ReleaseLink({ uuid, id }: Props) {
  const { slug: project } = useProject();
  if (id != null) {
    return (
      <Link to="/$project/releases/$id" params={{ project, id: String(id) }} title={uuid ?? undefined} className="text-link hover:underline">
        {`#${id}`}
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
