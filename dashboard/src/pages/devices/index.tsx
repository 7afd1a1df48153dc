import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { useNameOfUpdate } from "@/api/releases";
import { Combobox } from "@/ui/Combobox";
import { Filters } from "@/ui/Filters";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Table } from "@/ui/Table";
import { useList } from "@/ui/useList";
import { usePageSearch } from "@/ui/usePageSearch";
import { columns } from "./columns";
import { strings } from "./strings";

/** The list of devices that have reported. */
export default function Devices() {
  const { slug } = useProject();
  const api = useApi();
  const [view, setView] = usePageSearch("/$project/devices");
  const query = useList<Schemas["Device"]>(
    "/v1/ota/devices",
    { channel: view.channel || undefined, updateUuid: view.updateUuid || undefined },
    { sort: "-lastSeenAt" },
  );
  const settings = api.useQuery("get", "/v1/ota/settings");
  const release = useNameOfUpdate(view.updateUuid, query.data?.find(({ updateUuid }) => updateUuid === view.updateUuid)?.release);
  const isFiltered = Boolean(view.search || view.channel || view.updateUuid);
  return (
    <Page title={strings.title} lead={settings.data?.hashIds ? strings.hashed : strings.lead}>
      <Panel title={strings.table} query={query} flush placeholder="h-96">
        {(rows) => (
          <Table
            label={strings.table}
            rows={rows}
            columns={columns(slug)}
            rowId={(row) => row.deviceId}
            rowHeight={52}
            list={query.list}
            filter={{ label: strings.search }}
            onMore={query.more}
            controls={
              <Filters active={[view.channel, view.updateUuid].filter(Boolean).length}>
                  <Combobox of="channel" label={strings.channel} none={strings.anyChannel} value={view.channel} onChange={(channel) => setView({ channel })} />
                  <Combobox
                    of="update"
                    label={strings.release}
                    className="w-full sm:w-72"
                    none={strings.anyRelease}
                    value={view.updateUuid}
                    valueLabel={release}
                    onChange={(updateUuid) => setView({ updateUuid })}
                  />
              </Filters>
            }
            empty={isFiltered ? <Empty title={strings.noMatch} /> : <Empty {...strings.empty} />}
          />
        )}
      </Panel>
    </Page>
  );
}
