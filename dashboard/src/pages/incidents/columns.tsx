import { Link } from "@tanstack/react-router";
import { nameOf } from "./nameOf";
import type { Schemas } from "@/api/client";
import { actorTitle } from "@/format/actions";
import { count, percent } from "@/format/format";
import { Button } from "@/ui/Button";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";
import { What } from "./What";

type Incident = Schemas["Incident"];

interface Context {
  project: string;
  refusal: string | null;
  onAcknowledge: (incident: Incident) => void;
  onEdit: (incident: Incident) => void;
  onClose: (incident: Incident) => void;
}

export function columns({ project, refusal, onAcknowledge, onEdit, onClose }: Context): Column<Incident>[] {
  const names = strings.columns;
  return [
    {
      id: "what",
      header: names.what,
      width: "minmax(8rem, 3fr)",
      cell: (row) => <What incident={row} />,
    },
    {
      id: "rate",
      field: "errorRate",
      header: names.rate,
      width: "6rem",
      align: "right",
      secondary: true,
      cell: (row) => (
        <div>
          <p className="font-medium text-bad">{percent(row.errorRate)}</p>
          <p className="text-xs text-muted">{strings.before(percent(row.baselineErrorRate))}</p>
        </div>
      ),
    },
    {
      id: "devices",
      field: "erroredDevices",
      header: names.devices,
      width: "9rem",
      align: "right",
      secondary: true,
      cell: (row) => (
        <div>
          <p>{strings.affected(count(row.erroredDevices), count(row.devices))}</p>
          <p className="text-xs text-muted">{strings.crashed(count(row.crashedDevices), count(row.peakErroredDevices))}</p>
        </div>
      ),
    },
    {
      id: "opened",
      field: "openedAt",
      header: names.opened,
      width: "9.5rem",
      secondary: true,
      cell: (row) => (
        <div>
          <Time at={row.openedAt} />
          <p className="truncate text-xs text-muted">
            {row.resolvedAt ? strings.ended : strings.checked} <Time at={row.resolvedAt ?? row.checkedAt} />
          </p>
        </div>
      ),
    },
    {
      id: "who",
      field: "acknowledgedBy",
      header: names.who,
      width: "8rem",
      secondary: true,
      cell: (row) =>
        row.acknowledgedBy ? (
          <div className="min-w-0">
            <p className="truncate">{actorTitle(row.acknowledgedBy)}</p>
            <p className="text-xs text-muted">
              <Time at={row.acknowledgedAt} />
            </p>
          </div>
        ) : (
          <span className="text-muted">{strings.nobody}</span>
        ),
    },
    {
      id: "actions",
      header: names.actions,
      width: "8.5rem",
      align: "right",
      cell: (row) => {
        const rollout = row.rolloutExecutionId;
        return (
          <div className="flex flex-col items-end gap-1">
            {row.acknowledgedBy === null && row.status === "open" && (
              <Button size="sm" command={strings.commands.acknowledge(nameOf(row))} refusal={refusal} onClick={() => onAcknowledge(row)}>
                {strings.acknowledge}
              </Button>
            )}
            <div className="flex flex-wrap justify-end gap-1">
              {rollout !== null && (
                <Link
                  to="/$project/rollouts/$id"
                  params={{ project, id: String(rollout) }}
                  className="inline-flex h-7 items-center rounded-md px-1.5 text-xs text-link hover:underline"
                >
                  {strings.rollout}
                </Link>
              )}
              <Button size="sm" kind="quiet" command refusal={refusal} aria-label={`${strings.note}: ${nameOf(row)}`} onClick={() => onEdit(row)}>
                {strings.note}
              </Button>
              {row.status === "open" && (
                <Button size="sm" kind="quiet" command refusal={refusal} aria-label={`${strings.close}: ${nameOf(row)}`} onClick={() => onClose(row)}>
                  {strings.close}
                </Button>
              )}
            </div>
          </div>
        );
      },
    },
  ];
}
