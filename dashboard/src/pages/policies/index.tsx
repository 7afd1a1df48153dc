import { Link, useNavigate } from "@tanstack/react-router";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { count, percent } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { ListPage } from "@/ui/ListPage";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { useList } from "@/ui/useList";
import { strings } from "./strings";

type Policy = Schemas["RolloutPolicy"];

/** The list of policies. */
export default function Policies() {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const navigate = useNavigate();
  const query = useList<Policy>("/v1/ota/rollout-policies");
  return (
    <ListPage
      strings={strings}
      query={query}
      columns={columns(project)}
      rowHeight={48}
      refusal={refusal}
      onAdd={() => void navigate({ to: "/$project/policies/$id", params: { project, id: "new" } })}
    />
  );
}

function columns(project: string): Column<Policy>[] {
  const text = strings.columns;
  return [
    {
      id: "name",
      field: "name",
      header: text.name,
      width: "minmax(9rem, 2fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/policies/$id" params={{ project, id: String(row.id) }} className="block truncate font-medium hover:underline">
            {row.name}
          </Link>
          {row.description && <p className="truncate text-xs text-muted">{row.description}</p>}
        </div>
      ),
    },
    { id: "channel", field: "channel", header: text.channel, width: "minmax(5rem, 1fr)", secondary: true, cell: (row) => row.channel ?? <span className="text-muted">{strings.anyChannel}</span> },
    {
      id: "stages",
      field: "stages",
      header: text.stages,
      width: "minmax(7rem, 1.4fr)",
      cell: (row) => <span className="block truncate text-xs tabular-nums">{row.stages.map((stage) => percent(stage.percentage)).join(" → ")}</span>,
    },
    {
      id: "limits",
      header: text.limits,
      width: "minmax(8rem, 1.4fr)",
      secondary: true,
      cell: (row) => <span className="block truncate text-xs">{limits(row)}</span>,
    },
    { id: "running", header: text.running, width: "5rem", align: "right", secondary: true, cell: (row) => count(row.runningExecutions.length) },
    { id: "state", field: "isActive", header: text.state, width: "5rem", cell: (row) => <Badge tone={row.isActive ? "ok" : "plain"}>{row.isActive ? strings.active : strings.inactive}</Badge> },
    { id: "changed", field: "updatedAt", header: text.changed, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.updatedAt} /> },
  ];
}

function limits({ thresholds }: Policy): string {
  const parts = [
    thresholds.crashRate != null && strings.crash(percent(thresholds.crashRate)),
    thresholds.errorRate != null && strings.error(percent(thresholds.errorRate)),
  ].filter((part) => part !== false);
  return parts.join(", ") || strings.noLimits;
}
