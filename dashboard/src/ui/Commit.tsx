import { useProject } from "@/api/project";
import { useMe } from "@/app/session";
import { strings } from "@/strings";

interface Props {
  hash: string;
  /** "" if the build does not name its author. */
  author: string;
}

const shownDigits = 7;

/** Shows a build's commit by its short hash, with its author. It is a link if the project's settings have the repository's URL. */
export function Commit({ hash, author }: Props) {
  const { slug } = useProject();
  const repository = useMe().data?.projects.find((each) => each.slug === slug)?.repositoryUrl;
  if (!hash && !author) return <span className="text-faint">{strings.unknown}</span>;
  const short = <code className="font-mono text-xs">{hash.slice(0, shownDigits)}</code>;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      {hash && repository ? (
        <a
          href={`${repository}/commit/${encodeURIComponent(hash)}`}
          title={hash}
          target="_blank"
          rel="noopener noreferrer"
          className="text-link hover:underline"
        >
          {short}
        </a>
      ) : (
        <span title={hash}>{short}</span>
      )}
      {author && <span className="min-w-0 truncate">{strings.commitBy(author)}</span>}
    </span>
  );
}
