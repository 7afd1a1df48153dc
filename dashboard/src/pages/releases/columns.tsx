import type { Schemas } from "@/api/client";
import type { Figures } from "@/api/figures";
import { bytes, percent } from "@/format/format";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { Track } from "@/ui/Track";
import { CrashFreeCell, DevicesCell, LimitBadge } from "./FigureCells";
import { ReleaseBadges } from "./ReleaseBadges";
import { ReleaseCell } from "./ReleaseCell";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** Returns the columns of the list. `figures` has the devices and the health of the releases by ID; unknown ones are missing. */
export function columns(project: string, figures: Map<number, Figures>): Column<Release>[] {
  const { columns } = strings;
  return [
    {
      id: "release",
      field: "releaseMessage",
      header: columns.release,
      width: "minmax(7rem, 3fr)",
      cell: (row, group) => <ReleaseCell project={project} release={row} group={group} />,
    },
    {
      id: "target",
      field: "channel",
      header: columns.target,
      width: "minmax(4.5rem, 1fr)",
      secondary: true,
      cell: (row) => <span className="block truncate">{row.channel ?? row.branchName}</span>,
    },
    {
      id: "state",
      header: columns.state,
      // As wide as the widest badge, even on a phone.
      width: "5.5rem",
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          <LimitBadge figures={figures.get(row.id)} />
          <ReleaseBadges release={row} />
        </span>
      ),
    },
    {
      id: "share",
      field: "rolloutPercentage",
      header: columns.share,
      width: "4.5rem",
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
      width: "5.5rem",
      align: "right",
      secondary: true,
      cell: (row) => <DevicesCell figures={figures.get(row.id)} />,
    },
    {
      id: "crashFree",
      header: columns.crashFree,
      width: "4.75rem",
      align: "right",
      cell: (row) => <CrashFreeCell figures={figures.get(row.id)} />,
    },
    {
      id: "size",
      field: "sizeBytes",
      header: columns.size,
      width: "3.75rem",
      align: "right",
      secondary: true,
      cell: (row) => bytes(row.sizeBytes),
    },
    {
      id: "published",
      field: "createdAt",
      header: columns.published,
      width: "4.75rem",
      align: "right",
      secondary: true,
      cell: (row) => <Time at={row.createdAt} />,
    },
  ];
}
