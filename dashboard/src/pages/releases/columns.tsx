import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { bytes, compact, percent } from "@/format/format";
import { releaseNumber, releaseTitle } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { Track } from "@/ui/Track";
import { ReleaseBadges } from "./ReleaseBadges";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** Returns the columns of the list. `devices` has the devices of the last 24 hours by release ID, or is null while unknown. */
export function columns(project: string, devices: Map<number, number> | null): Column<Release>[] {
  const { columns } = strings;
  return [
    {
      id: "release",
      field: "releaseMessage",
      header: columns.release,
      width: "minmax(11rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/releases/$id" params={{ project, id: String(row.id) }} className="block truncate font-medium hover:underline">
            {releaseTitle(row)}
          </Link>
          <p className="truncate text-xs text-muted">
            {[row.runtimeVersion, frame.platforms[row.platform], row.gitCommitHash.slice(0, 7), releaseNumber(row.id)].filter(Boolean).join(" · ")}
          </p>
        </div>
      ),
    },
    {
      id: "target",
      field: "channel",
      header: columns.target,
      width: "minmax(6rem, 1fr)",
      secondary: true,
      cell: (row) => <span className="block truncate">{row.channel ?? row.branchName}</span>,
    },
    { id: "state", header: columns.state, width: "minmax(6rem, 1fr)", cell: (row) => <ReleaseBadges release={row} /> },
    {
      id: "share",
      field: "rolloutPercentage",
      header: columns.share,
      width: "6rem",
      secondary: true,
      cell: (row) => (
        <div>
          <span className="text-xs tabular-nums">{percent(row.isEnabled ? row.rolloutPercentage : 0)}</span>
          <Track value={row.isEnabled ? row.rolloutPercentage : 0} label={columns.share} tone={row.isEnabled ? "info" : "plain"} />
        </div>
      ),
    },
    {
      id: "devices",
      header: columns.devices,
      width: "5rem",
      align: "right",
      secondary: true,
      cell: (row) => compact(devices ? (devices.get(row.id) ?? 0) : null),
    },
    {
      id: "size",
      field: "sizeBytes",
      header: columns.size,
      width: "5.5rem",
      align: "right",
      secondary: true,
      cell: (row) => bytes(row.sizeBytes),
    },
    {
      id: "published",
      field: "createdAt",
      header: columns.published,
      width: "6rem",
      align: "right",
      cell: (row) => <Time at={row.createdAt} />,
    },
  ];
}
