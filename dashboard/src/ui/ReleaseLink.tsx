import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { strings } from "@/strings";

interface Props {
  /** null for the embedded update. */
  uuid: string | null;
  /** null or undefined when the project does not know the update, or it is not loaded. */
  id: number | null | undefined;
}

/** The update that a device runs: a link to the release where there is one. */
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
