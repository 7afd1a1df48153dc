import { Pin, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { count } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import { optionsOf, Select } from "@/ui/Select";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { FlagsOfContext } from "./FlagsOfContext";
import { PinDialog } from "./PinDialog";
import { strings } from "./strings";

type Context = Schemas["Context"];
type Action = { kind: "pin"; context?: Context } | { kind: "remove" | "flags"; context: Context };

/** The list of contexts that flags were evaluated for. */
export default function Contexts() {
  const refusal = useRefusal("editor");
  const [view, setView] = usePageSearch("/$project/contexts");
  const query = useList<Context>("/v1/ota/contexts", { kind: view.kind || undefined });
  const [action, setAction] = useState<Action | null>(null);
  const columns = useMemo(() => columnsOf(refusal, setAction), [refusal]);
  const close = () => setAction(null);
  return (
    <ListPage
      strings={{ ...strings, filter: strings.search }}
      query={query}
      columns={columns}
      rowHeight={52}
      placeholder="h-96"
      controls={
        <>
          <Select
            label={strings.kind}
            value={view.kind}
            onChange={(kind) => setView({ kind })}
            options={[{ value: "", label: strings.anyKind }, ...optionsOf(strings.kinds)]}
          />
        </>
      }
      isFiltered={Boolean(view.kind)}
      icon={Pin}
      refusal={refusal}
      onAdd={() => setAction({ kind: "pin" })}
    >
      {action?.kind === "pin" && <PinDialog context={action.context} onClose={close} />}
      {action?.kind === "flags" && <FlagsOfContext context={action.context} onClose={close} />}
      {action?.kind === "remove" && (
        <DangerDialog
          onClose={close}
          title={strings.removeOf(action.context.targetingKey)}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.removed}
          run={(client) => client.DELETE("/v1/ota/contexts/{id}", { params: { path: { id: action.context.id } } })}
        />
      )}
    </ListPage>
  );
}

function columnsOf(refusal: string | null, act: (action: Action) => void): Column<Context>[] {
  const text = strings.columns;
  return [
    {
      id: "context",
      field: "targetingKey",
      header: text.context,
      width: "minmax(6rem, 1.5fr)",
      cell: (row) => (
        <div className="min-w-0">
          <span className="flex items-center gap-2">
            <span className="truncate font-mono text-xs font-medium">{row.targetingKey}</span>
            {row.pinned && <Badge tone="info">{strings.pinned}</Badge>}
          </span>
          <span className="block truncate text-xs text-muted">{row.name}</span>
        </div>
      ),
    },
    { id: "kind", field: "kind", header: text.kind, width: "6.5rem", secondary: true, cell: (row) => strings.kinds[row.kind] },
    {
      id: "attributes",
      header: text.attributes,
      width: "minmax(8rem, 2fr)",
      secondary: true,
      cell: (row) => <span className="line-clamp-2 text-xs break-all text-muted" title={JSON.stringify(row.attributes)}>{attributesText(row)}</span>,
    },
    { id: "count", field: "evaluationCount", header: text.count, width: "5.5rem", align: "right", secondary: true, cell: (row) => count(row.evaluationCount) },
    { id: "seen", field: "lastSeenAt", header: text.seen, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.lastSeenAt} /> },
    {
      id: "action",
      header: text.action,
      width: "8rem",
      align: "right",
      cell: (row) => (
        <span className="inline-flex gap-1">
          <Button size="sm" onClick={() => act({ kind: "flags", context: row })} command aria-label={strings.flagsOf(row.targetingKey)}>
            {strings.flags}
          </Button>
          <Button size="sm" kind="quiet" command aria-label={`${strings.pin}: ${row.targetingKey}`} refusal={refusal} icon={<Pin size={14} aria-hidden />} onClick={() => act({ kind: "pin", context: row })} />
          <Button size="sm" kind="quiet" command aria-label={strings.removeOf(row.targetingKey)} refusal={refusal} icon={<Trash2 size={14} aria-hidden />} onClick={() => act({ kind: "remove", context: row })} />
        </span>
      ),
    },
  ];
}

function attributesText({ attributes }: Context): string {
  const entries = Object.entries(attributes as Record<string, unknown>);
  return entries.length === 0 ? "—" : entries.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}
