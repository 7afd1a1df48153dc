import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { count } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { StackBar } from "@/ui/StackBar";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { ChannelToggles } from "./ChannelToggles";
import type { FlagState, Share } from "./states";
import { strings } from "./strings";

type Flag = Schemas["Flag"];

interface Beside {
  project: string;
  refusal: string | null;
  states: Map<number, FlagState>;
  shares: Map<string, Share[]> | null;
}

/** The number of releases that a row names. */
const shownReleases = 2;

/** Returns the columns of the list. A null value is unknown. */
export function columns({ project, refusal, states, shares }: Beside): Column<Flag>[] {
  const { columns } = strings;
  return [
    {
      id: "flag",
      field: "key",
      header: columns.flag,
      width: "minmax(8rem, 2fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/flags/$id" params={{ project, id: String(row.id) }} className="block truncate font-mono text-xs font-medium hover:underline">
            {row.key}
          </Link>
          <span className="hidden group-data-narrow/table:inline">
            <StateBadge state={states.get(row.id)} />
          </span>
          <p className="truncate text-xs text-muted">{[row.name !== row.key && row.name, row.description || strings.form.types[row.flagType]].filter(Boolean).join(" · ")}</p>
        </div>
      ),
    },
    { id: "channels", header: columns.channels, width: "minmax(7rem, 1.6fr)", cell: (row) => <ChannelToggles flag={row} refusal={refusal} /> },
    {
      id: "state",
      header: columns.state,
      width: "5.5rem",
      secondary: true,
      cell: (row) => <StateBadge state={states.get(row.id)} />,
    },
    {
      id: "evaluated",
      header: columns.evaluated,
      width: "7rem",
      secondary: true,
      cell: (row) => {
        const slices = shares?.get(row.key);
        if (!slices) return <span className="text-xs text-faint">{shares ? "0" : "—"}</span>;
        return (
          <div>
            <span className="text-xs tabular-nums">{count(slices.reduce((sum, each) => sum + each.devices, 0))}</span>
            <StackBar label={strings.distribution} slices={slices} />
          </div>
        );
      },
    },
    { id: "rules", field: "rules", header: columns.rules, width: "4rem", align: "right", secondary: true, cell: (row) => row.rules.length },
    {
      id: "releases",
      header: columns.releases,
      width: "9rem",
      secondary: true,
      cell: (row) => (
        <span className="text-xs">
          {row.newestReleases.slice(0, shownReleases).map((release) => (
            <ReleaseLink key={release.updateId} release={release} />
          ))}
          {row.newestReleases.length > shownReleases && (
            <Link to="/$project/flags/$id" params={{ project, id: String(row.id) }} className="block text-muted hover:underline">
              {strings.moreReleases}
            </Link>
          )}
          {row.activeRollouts.length > 0 && <span className="block text-muted">{strings.rollouts(row.activeRollouts.length)}</span>}
        </span>
      ),
    },
    { id: "changed", field: "updatedAt", header: columns.changed, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.updatedAt} /> },
  ];
}

const tones = { incident: "bad", degraded: "warn", stale: "plain" } as const;

function StateBadge({ state }: { state: FlagState | undefined }) {
  if (!state) return null;
  return (
    <Badge tone={tones[state]} title={strings.stateHints[state]}>
      {strings.states[state]}
    </Badge>
  );
}
