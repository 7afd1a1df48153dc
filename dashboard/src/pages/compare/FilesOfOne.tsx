import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { bytes, count } from "@/format/format";
import { releaseLabels } from "@/format/releaseName";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { onlyIn } from "./onlyIn";
import { strings } from "./strings";

type Release = Schemas["Update"];
type Asset = Schemas["BuildAsset"];

const { files: text } = strings;

/** The number of files that a list shows. */
const shown = 50;

/** Queries the files of a release's build. */
function useFiles({ buildId }: Release) {
  const id = buildId ?? 0;
  return useApi().useQuery("get", "/v1/ota/builds/{id}", { params: { path: { id } } }, { enabled: id > 0, select: (build) => build.assets });
}

/** Lists the files that only one of the releases has. Files are compared by their contents. */
export function FilesOfOne({ releases }: { releases: readonly [Release, Release] }) {
  const files = [useFiles(releases[0]), useFiles(releases[1])] as const;
  const labels = releaseLabels([...releases]);
  if (releases[0].buildId !== null && releases[0].buildId === releases[1].buildId) {
    return (
      <Panel title={text.title}>
        <p className="text-muted">{text.sameBuild}</p>
      </Panel>
    );
  }
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {releases.map((release, index) => {
        const own = files[index === 0 ? 0 : 1];
        const other = files[index === 0 ? 1 : 0];
        const title = strings.errors.only(labels.get(release.id) ?? "");
        if (release.buildId === null) {
          return (
            <Panel key={release.id} title={title}>
              <p className="text-muted">{text.embedded}</p>
            </Panel>
          );
        }
        const otherHasFiles = releases[index === 0 ? 1 : 0].buildId !== null;
        return (
          <Panel key={release.id} title={title} query={own.data && otherHasFiles ? other : own}>
            <Files files={own.data ?? []} others={other.data ?? []} />
          </Panel>
        );
      })}
    </div>
  );
}

function Files({ files, others }: { files: Asset[]; others: Asset[] }) {
  const only = onlyIn(files, others, ({ sha256 }) => sha256);
  const same = files.filter((file) => !only.includes(file));
  const size = same.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col gap-1">
        {only.slice(0, shown).map((file) => (
          <li key={file.path} className="flex flex-wrap items-baseline gap-x-2">
            <code className="min-w-0 font-mono text-xs break-all">{file.path}</code>
            {file.isLaunchAsset && <Badge>{text.launch}</Badge>}
            <span className="ml-auto text-xs text-muted tabular-nums">{bytes(file.sizeBytes)}</span>
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">
        {[only.length === 0 && text.none, only.length > shown && `${text.more(count(only.length - shown))}.`, same.length > 0 ? text.same(count(same.length), bytes(size)) : text.noneSame].filter(Boolean).join(" ")}
      </p>
    </div>
  );
}
