import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { actorName } from "@/format/actions";
import { dateTime } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { WorkflowLink } from "@/ui/WorkflowLink";
import { scheduleStrings as text } from "./scheduleStrings";

type Schedule = Schemas["FlagSchedule"];

/** Lists the newest scheduled changes of the flag, with why a change was not made. Shows nothing for a flag without such changes. */
export function Schedules({ flagId }: { flagId: number }) {
  const query = useApi().useQuery("get", "/v1/ota/flags/{id}/schedule", { params: { path: { id: flagId }, query: { limit: 20 } } });
  const [cancelled, setCancelled] = useState<Schedule | null>(null);
  if (query.data?.length === 0) return null;
  return (
    <Panel title={text.title} query={query} placeholder="h-16">
      {(rows) => (
        <ul className="flex flex-col gap-3">
          {rows.map((row) => (
            <Row key={row.id} row={row} onCancel={() => setCancelled(row)} />
          ))}
          {cancelled && <Cancel row={cancelled} onClose={() => setCancelled(null)} />}
        </ul>
      )}
    </Panel>
  );
}

function Row({ row, onCancel }: { row: Schedule; onCancel: () => void }) {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  return (
    <li className="flex min-w-0 flex-col items-start gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <Time at={row.at} exact />
        <Badge>{text.statuses[row.status]}</Badge>
      </p>
      <p className="break-words">{row.summary}</p>
      <p className="text-xs text-muted">
        {text.by(actorName(row.scheduledBy.name))} <Time at={row.createdAt} />
      </p>
      {row.approvalId !== null && (
        <Link to="/$project/approvals/$id" params={{ project, id: String(row.approvalId) }} className="text-xs text-link hover:underline">
          {text.approval}
        </Link>
      )}
      <span className="text-xs">
        <WorkflowLink workflow={row} label={text.workflow} />
      </span>
      {row.isOutdated && <p className="text-warn">{text.outdated}</p>}
      {row.status === "stale" && <p className="text-muted">{text.stale}</p>}
      {row.error && <p className="break-words text-muted">{row.error}</p>}
      {row.endedAt === null && (
        <Button size="sm" refusal={refusal} onClick={onCancel}>
          {text.cancel}
        </Button>
      )}
    </li>
  );
}

function Cancel({ row, onClose }: { row: Schedule; onClose: () => void }) {
  return (
    <DangerDialog
      onClose={onClose}
      title={text.cancelOf(dateTime(row.at))}
      text={row.summary}
      confirm={text.cancel}
      done={text.cancelled}
      run={(client) => client.DELETE("/v1/ota/flags/{id}/schedule/{scheduleId}", { params: { path: { id: row.flagId, scheduleId: row.id } } })}
    />
  );
}
