import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { count } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Sparkline } from "@/ui/Sparkline";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import type { Range } from "./ranges";
import { StateBadge, StatusBadge } from "./StateBadge";
import { strings } from "./strings";

type Group = Schemas["ErrorGroup"];

/** Returns the columns. `range` is passed on to the page of the group. */
export function columns(project: string, range: Range): Column<Group>[] {
  const names = strings.columns;
  return [
    {
      id: "group",
      field: "errorName",
      header: names.group,
      width: "minmax(6rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <div className="flex min-w-0 items-center gap-2">
            {row.type === "crash" && <Badge tone="bad">{strings.crash}</Badge>}
            <Link
              to="/$project/observe/$fingerprint"
              params={{ project, fingerprint: row.fingerprint }}
              search={{ range }}
              className="min-w-0 truncate font-medium hover:underline"
            >
              {row.errorName || row.message}
            </Link>
          </div>
          <p className="truncate text-xs text-muted" title={row.message}>
            {row.message}
          </p>
          {row.culprit && <p className="truncate font-mono text-2xs text-faint">{row.culprit}</p>}
        </div>
      ),
    },
    {
      id: "state",
      header: names.state,
      width: "5.5rem",
      cell: (row) => (
        <div className="flex flex-col items-start gap-1">
          <StateBadge state={row.state} />
          {row.status !== "open" && <StatusBadge status={row.status} />}
        </div>
      ),
    },
    {
      id: "assignee",
      header: names.assignee,
      width: "7rem",
      secondary: true,
      cell: (row) => (
        <span className="block truncate text-xs text-muted" title={row.assigneeName ?? undefined}>
          {row.assigneeName ?? strings.nobody}
        </span>
      ),
    },
    { id: "trend", header: names.trend, width: "7rem", secondary: true, cell: (row) => <Sparkline values={row.trend} label={strings.trend} /> },
    { id: "devices", field: "devices", header: names.devices, width: "5rem", align: "right", cell: (row) => count(row.devices) },
    { id: "events", field: "events", header: names.events, width: "5.5rem", align: "right", secondary: true, cell: (row) => count(row.events) },
    {
      id: "releases",
      header: names.releases,
      width: "minmax(10rem, 2fr)",
      secondary: true,
      cell: (row) => (
        <div className="flex min-w-0 flex-col items-start text-xs leading-6 text-muted">
          <ReleaseLink release={row.firstRelease} uuid={row.firstUpdateUuid} />
          {row.lastUpdateUuid !== row.firstUpdateUuid && (
            <span className="flex max-w-full min-w-0 items-baseline gap-1">
              {strings.to} <ReleaseLink release={row.lastRelease} uuid={row.lastUpdateUuid} />
            </span>
          )}
        </div>
      ),
    },
    { id: "first", field: "firstSeenAt", header: names.first, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.firstSeenAt} /> },
    { id: "last", field: "lastSeenAt", header: names.last, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.lastSeenAt} /> },
  ];
}
