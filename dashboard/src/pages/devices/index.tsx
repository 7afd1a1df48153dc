import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { pageLength } from "@/api/pages";
import { useApi, useProject } from "@/api/project";
import { useReleases } from "@/api/releases";
import { Filters } from "@/ui/Filters";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { Table } from "@/ui/Table";
import { useUrlState } from "@/ui/useUrlState";
import { columns } from "./columns";
import { strings } from "./strings";

/** The list of devices that have reported. */
export default function Devices() {
  const { slug } = useProject();
  const api = useApi();
  const [view, setView] = useUrlState({ search: "", channel: "", updateUuid: "" });
  const query = usePages<Schemas["Device"]>("/v1/ota/devices", {
    search: view.search || undefined,
    channel: view.channel || undefined,
    updateUuid: view.updateUuid || undefined,
  });
  const releases = useReleases();
  const channels = api.useQuery("get", "/v1/ota/channels", { params: { query: { limit: pageLength } } });
  const settings = api.useQuery("get", "/v1/ota/settings");
  const names = (channels.data ?? []).map((channel) => channel.name);
  if (view.channel && !names.includes(view.channel)) names.push(view.channel);
  const updates = [...(releases?.values() ?? [])].map((release) => ({
    value: release.updateUuid,
    label: `#${release.id} ${release.releaseMessage}`.slice(0, 48),
  }));
  if (view.updateUuid && !releases?.has(view.updateUuid)) updates.push({ value: view.updateUuid, label: view.updateUuid.slice(0, 8) });
  const isFiltered = Object.values(view).some(Boolean);
  return (
    <Page title={strings.title} lead={settings.data?.hashIds ? strings.hashed : strings.lead}>
      <Panel title={strings.table} query={query} flush placeholder="h-96">
        {(rows) => (
          <Table
            label={strings.table}
            rows={rows}
            columns={columns(slug, releases)}
            rowId={(row) => row.deviceId}
            rowHeight={52}
            onMore={query.more}
            controls={
              <>
                <SearchField label={strings.search} value={view.search} onSearch={(search) => setView({ search })} />
                <Filters active={[view.channel, view.updateUuid].filter(Boolean).length}>
                  <Select
                    label={strings.channel}
                    value={view.channel}
                    onChange={(channel) => setView({ channel })}
                    options={[{ value: "", label: strings.anyChannel }, ...names.map((name) => ({ value: name, label: name }))]}
                  />
                  <Select
                    label={strings.release}
                    className="sm:max-w-72"
                    value={view.updateUuid}
                    onChange={(updateUuid) => setView({ updateUuid })}
                    options={[{ value: "", label: strings.anyRelease }, ...updates]}
                  />
                </Filters>
              </>
            }
            empty={isFiltered ? <Empty title={strings.noMatch} /> : <Empty {...strings.empty} />}
          />
        )}
      </Panel>
    </Page>
  );
}
