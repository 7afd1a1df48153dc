import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { ListPage } from "@/ui/ListPage";
import { optionsOf, Select } from "@/ui/Select";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { columns } from "./columns";
import { EditDialog } from "./EditDialog";
import { strings } from "./strings";

type Incident = Schemas["Incident"];

/** The list of incidents and who handles them. */
export default function Incidents() {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const [view, setView] = usePageSearch("/$project/incidents");
  const [edits, setEdits] = useState<Incident | null>(null);
  const query = useList<Incident>("/v1/ota/telemetry/incidents", { status: view.status || undefined });
  const acknowledge = useChange<Incident, unknown>({
    run: (client, { id }): Promise<{ data?: unknown }> =>
      client.PATCH("/v1/ota/telemetry/incidents/{id}", { params: { path: { id } }, body: { acknowledged: true } }),
    done: strings.done.acknowledged,
    toastErrors: true,
  });
  const close = useChange<Incident, unknown>({
    run: (client, { id }): Promise<{ data?: unknown }> =>
      client.PATCH("/v1/ota/telemetry/incidents/{id}", { params: { path: { id } }, body: { status: "closed" } }),
    done: strings.done.closed,
    toastErrors: true,
  });
  return (
    <ListPage
      strings={view.status === "open" ? { ...strings, empty: strings.noneOpen } : strings}
      query={query}
      columns={columns({ project, refusal, onAcknowledge: acknowledge.mutate, onEdit: setEdits, onClose: close.mutate })}
      rowHeight={72}
      controls={
        <Select
          label={strings.status}
          value={view.status}
          onChange={(status) => setView({ status })}
          options={optionsOf(strings.statuses)}
        />
      }
    >
      {edits && <EditDialog id={edits.id} onClose={() => setEdits(null)} />}
    </ListPage>
  );
}
