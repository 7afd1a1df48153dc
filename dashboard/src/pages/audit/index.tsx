import { Download } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { Filters } from "@/ui/Filters";
import { Empty } from "@/ui/Empty";
import { Menu } from "@/ui/Menu";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { Table } from "@/ui/Table";
import { TimeInput } from "@/ui/TimeInput";
import { toast } from "@/ui/toast";
import { useInZone } from "@/ui/useInZone";
import { usePageSearch } from "@/ui/usePageSearch";
import { asProblem } from "@/api/problem";
import { useList } from "@/ui/useList";
import { columns } from "./columns";
import { exportLog } from "./exportLog";
import { strings } from "./strings";

/** The audit log with its filters. The export uses the same filters. */
export default function Audit() {
  const { slug } = useProject();
  const inZone = useInZone();
  const [view, setView] = usePageSearch("/$project/audit");
  const filter = {
    actor: view.actor || undefined,
    action: view.action || undefined,
    from: view.from || undefined,
    to: view.to || undefined,
  };
  const query = useList<Schemas["AuditEntry"]>("/v1/ota/audit-log", filter);
  const save = (format: "jsonl" | "csv") => void exportLog(slug, filter, format).catch((error: unknown) => toast({ title: asProblem(error).message, tone: "bad" }));
  const isFiltered = Boolean(view.actor || view.action || view.from || view.to);
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <Menu
          trigger={<Button icon={<Download size={14} aria-hidden />}>{strings.export}</Button>}
          items={[
            { label: strings.jsonl, command: strings.exportAs(strings.jsonl), onSelect: () => save("jsonl") },
            { label: strings.csv, command: strings.exportAs(strings.csv), onSelect: () => save("csv") },
          ]}
        />
      }
    >
      <Panel title={strings.table} query={query} flush placeholder="h-96">
        {(entries) => (
          <Table
            label={strings.table}
            rows={entries}
            columns={columns}
            rowId={(entry) => String(entry.id)}
            rowHeight={40}
            onMore={query.more}
            list={query.list}
            controls={
              <>
                <SearchField label={strings.actor} value={view.actor} onSearch={(actor) => setView({ actor })} />
                <Filters active={[view.action, view.from, view.to].filter(Boolean).length}>
                  <SearchField label={`${strings.action}, ${strings.actionHint}`} value={view.action} onSearch={(action) => setView({ action })} />
                  {(["from", "to"] as const).map((name) => (
                    <label key={name} className="flex items-center gap-1.5 text-xs text-muted">
                      {inZone(strings[name])}
                      <TimeInput className="w-auto" value={view[name]} onChange={(time) => setView({ [name]: time })} />
                    </label>
                  ))}
                </Filters>
              </>
            }
            empty={isFiltered ? undefined : <Empty {...strings.empty} />}
          />
        )}
      </Panel>
    </Page>
  );
}
