import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { stateOf, stateTones, statusTones } from "./state";
import { strings } from "./strings";

type Webhook = Schemas["Webhook"];

export function columns(project: string): Column<Webhook>[] {
  const names = strings.columns;
  return [
    {
      id: "url",
      field: "description",
      header: names.url,
      width: "minmax(8rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/webhooks/$id" params={{ project, id: String(row.id) }} className="block truncate font-medium hover:underline">
            {row.description || row.url}
          </Link>
          {row.description && <p className="truncate font-mono text-2xs text-muted">{row.url}</p>}
        </div>
      ),
    },
    {
      id: "events",
      field: "events",
      header: names.events,
      width: "7rem",
      secondary: true,
      cell: (row) => <span title={row.events.join(", ")}>{row.events.includes("*") ? strings.all : strings.events(String(row.events.length))}</span>,
    },
    {
      id: "state",
      field: "isActive",
      header: names.state,
      width: "minmax(5rem, 8rem)",
      cell: (row) => (
        <Badge tone={stateTones[stateOf(row)]} title={row.disabledReason}>
          {strings.states[stateOf(row)]}
        </Badge>
      ),
    },
    {
      id: "last",
      header: names.last,
      width: "12rem",
      secondary: true,
      cell: (row) =>
        row.lastDelivery ? (
          <span className="flex items-center gap-2">
            <Badge tone={statusTones[row.lastDelivery.status]}>{strings.statuses[row.lastDelivery.status]}</Badge>
            <Time at={row.lastDelivery.createdAt} />
          </span>
        ) : (
          <span className="text-muted">{strings.noDelivery}</span>
        ),
    },
  ];
}
