import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useProject } from "@/api/project";
import type { Schemas } from "@/api/client";
import { reasonOf } from "@/pages/rollout/reason";
import { releaseName, releaseNumber, releaseTitle } from "@/format/releaseName";
import { StatusBadge } from "@/pages/rollout/StatusBadge";
import { strings as rollout } from "@/pages/rollout/strings";
import { count, percent } from "@/format/format";
import { rolloutStatuses } from "@/search/pages";
import { StartDialog } from "@/start-rollout/StartDialog";
import { strings as start } from "@/start-rollout/strings";
import { strings as frame } from "@/strings";
import { Combobox } from "@/ui/Combobox";
import { Filters } from "@/ui/Filters";
import { ListPage } from "@/ui/ListPage";
import { Select } from "@/ui/Select";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { Track } from "@/ui/Track";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { strings } from "./strings";

type Execution = Schemas["RolloutExecution"];

/** The list of rollouts, newest first. The server filters by status and channel. */
export default function Rollouts() {
  const { slug } = useProject();
  const refusal = useRefusal("editor");
  const [starts, setStarts] = useState(false);
  const [view, setView] = usePageSearch("/$project/rollouts");
  const query = useList<Execution>("/v1/ota/rollout-executions", { status: view.status || undefined, channel: view.channel || undefined });
  const controls = (
    <Filters active={[view.status, view.channel].filter(Boolean).length}>
      <Select
        label={strings.status}
        value={view.status}
        onChange={(status) => setView({ status })}
        options={[{ value: "", label: strings.anyStatus }, ...rolloutStatuses.map((each) => ({ value: each, label: rollout.status[each] }))]}
      />
      <Combobox of="channel" label={strings.channel} none={strings.anyChannel} value={view.channel} onChange={(channel) => setView({ channel })} />
    </Filters>
  );
  return (
    <ListPage
      strings={{ ...strings, add: start.title }}
      icon={Play}
      refusal={refusal}
      onAdd={() => setStarts(true)}
      query={query}
      columns={columns(slug)}
      rowHeight={52}
      placeholder="h-96"
      controls={controls}
      isFiltered={Boolean(view.status || view.channel)}
    >
      {starts && <StartDialog onClose={() => setStarts(false)} />}
    </ListPage>
  );
}

/** Returns the rollout's health, or null if no device was counted, because then there are no rates. */
function known({ health }: Execution) {
  return health && health.devices > 0 ? health : null;
}

function columns(project: string): Column<Execution>[] {
  return [
    {
      id: "release",
      field: "updateId",
      header: strings.columns.release,
      width: "minmax(9rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/rollouts/$id" params={{ project, id: String(row.id) }} className="block truncate font-medium hover:underline">
            {releaseTitle(row)}
          </Link>
          <p className="truncate text-xs text-muted">{[row.runtimeVersion, frame.platforms[row.platform], row.channel, row.policyName, releaseNumber(row.updateId)].filter(Boolean).join(" · ")}</p>
        </div>
      ),
    },
    {
      id: "status",
      field: "status",
      header: strings.columns.status,
      width: "6.5rem",
      cell: (row) => (
        <div className="flex flex-col items-start gap-0.5">
          <StatusBadge execution={row} />
          <span className="hidden text-xs text-muted tabular-nums group-data-narrow/table:inline">{strings.at(percent(row.percentage))}</span>
        </div>
      ),
    },
    {
      id: "share",
      field: "percentage",
      header: strings.columns.share,
      width: "7rem",
      secondary: true,
      cell: (row) => (
        <div>
          <span className="text-xs tabular-nums">{percent(row.percentage)}</span>
          <Track value={row.percentage} label={strings.shareOf(releaseName(row))} />
        </div>
      ),
    },
    {
      id: "crashes",
      field: "health.crashRate",
      header: strings.columns.crashes,
      width: "5rem",
      align: "right",
      secondary: true,
      cell: (row) => percent(known(row)?.crashRate),
    },
    {
      id: "errors",
      field: "health.errorRate",
      header: strings.columns.errors,
      width: "5rem",
      align: "right",
      secondary: true,
      cell: (row) => percent(known(row)?.errorRate),
    },
    {
      id: "devices",
      field: "health.devices",
      header: strings.columns.devices,
      width: "5rem",
      align: "right",
      secondary: true,
      cell: (row) => count(row.health?.devices),
    },
    { id: "why", header: strings.columns.why, width: "minmax(10rem, 2fr)", secondary: true, cell: (row) => <p className="line-clamp-2 text-xs text-muted">{reasonOf(row)}</p> },
    {
      id: "started",
      field: "startedAt",
      header: strings.columns.started,
      width: "6rem",
      align: "right",
      secondary: true,
      cell: (row) => <Time at={row.startedAt} />,
    },
  ];
}
