import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { count } from "@/format/format";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import type { Column } from "@/ui/Table";
import { useList } from "@/ui/useList";
import { flagsOf, segmentSentence } from "./draft";
import { Editor } from "./Editor";
import { strings } from "./strings";

type Segment = Schemas["Segment"];

/** The list of segments with the flags that use them. */
export default function Segments() {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const query = useList<Segment>("/v1/ota/segments");
  const [edited, setEdited] = useState<Segment | "new" | null>(null);
  const [removed, setRemoved] = useState<Segment | null>(null);
  const columns = useMemo(() => columnsOf(project, refusal, setEdited, setRemoved), [project, refusal]);
  return (
    <ListPage strings={strings} query={query} columns={columns} rowHeight={52} refusal={refusal} onAdd={() => setEdited("new")}>
      {edited && <Editor segment={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />}
      {removed && (
        <DangerDialog
          onClose={() => setRemoved(null)}
          title={strings.removeOf(removed.name)}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.removed}
          run={(client) => client.DELETE("/v1/ota/segments/{id}", { params: { path: { id: removed.id } } })}
        >
          {removed.referencedBy.length > 0 && (
            <div>
              <p>{strings.usedBy}</p>
              <Flags project={project} segment={removed} />
            </div>
          )}
        </DangerDialog>
      )}
    </ListPage>
  );
}

function Flags({ project, segment }: { project: string; segment: Segment }) {
  const flags = flagsOf(segment);
  if (flags.length === 0) return <span className="text-xs text-faint">{strings.nobody}</span>;
  return (
    <span className="text-xs">
      {flags.map(({ id, key }) => (
        <Link key={id} to="/$project/flags/$id" params={{ project, id: String(id) }} className="mr-2 font-mono break-all text-link hover:underline">
          {key}
        </Link>
      ))}
    </span>
  );
}

function columnsOf(project: string, refusal: string | null, onEdit: (row: Segment) => void, onRemove: (row: Segment) => void): Column<Segment>[] {
  const text = strings.columns;
  return [
    {
      id: "segment",
      field: "name",
      header: text.segment,
      width: "minmax(6rem, 1.2fr)",
      cell: (row) => (
        <div className="min-w-0">
          <span className="block truncate font-medium">{row.name}</span>
          <span className="block truncate font-mono text-xs text-muted">{row.key}</span>
        </div>
      ),
    },
    { id: "conditions", header: text.conditions, width: "minmax(8rem, 2.5fr)", secondary: true, cell: (row) => <span className="block text-xs break-words">{segmentSentence(row)}</span> },
    {
      id: "devices",
      header: text.devices,
      width: "4.5rem",
      align: "right",
      cell: (row) => <span title={row.estimatedDevices == null ? strings.unknownDevices : undefined}>{count(row.estimatedDevices)}</span>,
    },
    { id: "flags", header: text.flags, width: "minmax(6rem, 1fr)", secondary: true, cell: (row) => <Flags project={project} segment={row} /> },
    {
      id: "action",
      header: text.action,
      width: "6.5rem",
      align: "right",
      cell: (row) => (
        <span className="inline-flex gap-1">
          <Button size="sm" command={strings.editOf(row.name)} refusal={refusal} onClick={() => onEdit(row)}>
            {strings.edit}
          </Button>
          <Button size="sm" kind="quiet" command aria-label={strings.removeOf(row.name)} refusal={refusal} icon={<Trash2 size={14} aria-hidden />} onClick={() => onRemove(row)} />
        </span>
      ),
    },
  ];
}
