import { Link } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import type { Schemas } from "@/api/client";
import { actorName } from "@/format/actions";
import { bytes } from "@/format/format";
import { releaseName } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Commit } from "@/ui/Commit";
import { Menu } from "@/ui/Menu";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { placesOf } from "./places";
import { strings } from "./strings";

type Build = Schemas["Build"];

/** An action on a build. */
export type Action = "publish" | "sourceMap" | "removeSourceMap" | "remove";

/** The number of places that a row shows. */
const shownPlaces = 2;

/** Returns the columns of the list. `refusal` is why the person may not change builds, or null if they may. */
export function columns(project: string, refusal: string | null, onAction: (build: Build, action: Action) => void): Column<Build>[] {
  const { columns, actions } = strings;
  return [
    {
      id: "build",
      header: columns.build,
      width: "minmax(11rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <p className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{row.message || strings.unnamed}</span>
            {row.embeddedUpdateId !== null && <Badge>{strings.embedded}</Badge>}
          </p>
          <p className="truncate text-xs text-muted">
            {[`#${row.id}`, frame.platforms[row.platform], row.runtimeVersion, row.gitBranch].filter(Boolean).join(" · ")}
          </p>
          {(row.gitCommitHash || row.gitAuthor) && (
            <p className="truncate text-xs text-muted">
              <Commit hash={row.gitCommitHash} author={row.gitAuthor} />
            </p>
          )}
        </div>
      ),
    },
    { id: "published", header: columns.published, width: "minmax(8rem, 2fr)", cell: (row) => <Places project={project} build={row} /> },
    {
      id: "sourceMap",
      header: columns.sourceMap,
      width: "6rem",
      align: "right",
      secondary: true,
      cell: (row) => (row.sourceMapBytes > 0 ? bytes(row.sourceMapBytes) : <span className="text-faint">{strings.noSourceMap}</span>),
    },
    { id: "size", field: "sizeBytes", header: columns.size, width: "5.5rem", align: "right", secondary: true, cell: (row) => bytes(row.sizeBytes) },
    {
      id: "uploaded",
      field: "createdAt",
      header: columns.uploaded,
      width: "minmax(6rem, 1fr)",
      secondary: true,
      cell: (row) => (
        <div className="min-w-0">
          <Time at={row.createdAt} />
          {row.uploadedBy && <p className="truncate text-xs text-muted">{strings.by(actorName(row.uploadedBy.name))}</p>}
        </div>
      ),
    },
    {
      id: "actions",
      header: "",
      width: "2.25rem",
      align: "right",
      cell: (row) => (
        <Menu
          trigger={<Button kind="quiet" size="sm" aria-label={actions.of(strings.name(row.id, row.message))} icon={<MoreHorizontal size={14} aria-hidden />} />}
          items={[
            {
              label: actions.publish,
              onSelect: () => onAction(row, "publish"),
              refusal: refusal ?? (row.embeddedUpdateId === null ? null : strings.publish.isEmbedded),
            },
            { label: row.sourceMapBytes > 0 ? actions.replaceSourceMap : actions.sourceMap, onSelect: () => onAction(row, "sourceMap"), refusal },
            ...(row.sourceMapBytes > 0 ? [{ label: actions.removeSourceMap, onSelect: () => onAction(row, "removeSourceMap"), refusal, danger: true }] : []),
            { label: actions.remove, onSelect: () => onAction(row, "remove"), refusal, danger: true },
          ]}
        />
      ),
    },
  ];
}

/** Links to the newest release on each channel that the build was published to. */
function Places({ project, build }: { project: string; build: Build }) {
  const places = placesOf(build.releases);
  if (places.length === 0) return <span className="text-faint">{strings.notPublished}</span>;
  return (
    <div className="min-w-0">
      {places.slice(0, shownPlaces).map(({ channel, branchName, release }) => (
        <Link
          key={release.updateId}
          to="/$project/releases/$id"
          params={{ project, id: String(release.updateId) }}
          title={releaseName({ ...release, runtimeVersion: build.runtimeVersion })}
          className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-1 text-link underline-offset-2 hover:underline"
        >
          <span className="max-w-full min-w-0 truncate">{channel ?? strings.toBranch(branchName)}</span>{" "}
          <span className="max-w-full min-w-0 truncate text-xs text-muted">{releaseName({ ...release, runtimeVersion: build.runtimeVersion })}</span>{" "}
          <ReleaseNumber id={release.updateId} />
        </Link>
      ))}
      {(build.hasMoreReleases || build.releases.length > shownPlaces) && <p className="truncate text-xs text-muted">{strings.more}</p>}
    </div>
  );
}
