import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Table } from "@/ui/Table";
import { useList } from "@/ui/useList";
import { usePageSearch } from "@/ui/usePageSearch";
import { columns } from "./columns";
import { Filters } from "./Filters";
import { beginOf } from "./ranges";
import { strings } from "./strings";

/** The list of error groups. */
export default function Observe() {
  const { slug } = useProject();
  const [view, setView] = usePageSearch("/$project/observe");
  const { range } = view;
  // The window's start is fixed when the range is chosen. Its end is the time of each response.
  const [window, setWindow] = useState({ range, from: beginOf(range) });
  if (window.range !== range) setWindow({ range, from: beginOf(range) });
  const query = useList<Schemas["ErrorGroup"]>(
    "/v1/ota/observe/groups",
    {
      from: window.from,
      type: view.type || undefined,
      state: view.state || undefined,
      status: view.status || undefined,
      assignee: view.assignee || undefined,
      channel: view.channel || undefined,
      platform: view.platform || undefined,
      updateUuid: view.updateUuid || undefined,
    },
    { sort: "-devices" },
  );
  const isFiltered = Boolean(view.search || view.type || view.state || view.status || view.assignee || view.channel || view.platform || view.updateUuid);
  return (
    <Page title={strings.title} lead={strings.lead}>
      <Panel title={strings.table} query={query} flush placeholder="h-96">
        {(rows) => (
          <Table
            label={strings.table}
            rows={rows}
            columns={columns(slug, range)}
            rowId={(row) => row.fingerprint}
            rowHeight={68}
            list={query.list}
            filter={{ label: strings.search }}
            onMore={query.more}
            controls={<Filters view={view} onChange={setView} />}
            empty={isFiltered ? <Empty title={strings.noMatch} /> : <Empty {...strings.empty} />}
          />
        )}
      </Panel>
    </Page>
  );
}
