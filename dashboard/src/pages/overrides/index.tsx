import { Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { useList } from "@/ui/useList";
import { NewOverride } from "./NewOverride";
import { strings } from "./strings";

type Override = Schemas["UserOverride"];

/** The list of user overrides. */
export default function Overrides() {
  const refusal = useRefusal("editor");
  const query = useList<Override>("/v1/ota/user-overrides");
  const [adds, setAdds] = useState(false);
  const [removed, setRemoved] = useState<Override | null>(null);
  const columns = useMemo(() => columnsOf(refusal, setRemoved), [refusal]);
  return (
    <ListPage strings={strings} query={query} columns={columns} refusal={refusal} onAdd={() => setAdds(true)}>
      {adds && <NewOverride onClose={() => setAdds(false)} />}
      {removed && (
        <DangerDialog
          onClose={() => setRemoved(null)}
          title={strings.removeOf(removed.userId)}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.removed}
          affected={null}
          preview={(client, signal) => client.POST("/v1/ota/user-overrides/{id}/delete/preview", { params: { path: { id: removed.id } }, signal })}
          run={(client) => client.DELETE("/v1/ota/user-overrides/{id}", { params: { path: { id: removed.id } } })}
        />
      )}
    </ListPage>
  );
}

function columnsOf(refusal: string | null, onRemove: (row: Override) => void): Column<Override>[] {
  const text = strings.columns;
  return [
    { id: "user", field: "userId", header: text.user, width: "minmax(6rem, 2fr)", cell: (row) => <span className="block truncate font-mono text-xs">{row.userId}</span> },
    { id: "branch", field: "branchName", header: text.branch, width: "minmax(5rem, 1fr)", cell: (row) => <span className="block truncate">{row.branchName}</span> },
    { id: "note", field: "note", header: text.note, width: "minmax(6rem, 2fr)", secondary: true, cell: (row) => <span className="block truncate text-muted">{row.note}</span> },
    { id: "created", field: "createdAt", header: text.created, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.createdAt} /> },
    {
      id: "action",
      header: text.action,
      width: "4rem",
      align: "right",
      cell: (row) => <Button size="sm" kind="quiet" command aria-label={strings.removeOf(row.userId)} refusal={refusal} icon={<Trash2 size={14} aria-hidden />} onClick={() => onRemove(row)} />,
    },
  ];
}
