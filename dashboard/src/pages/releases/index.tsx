import { useNavigate } from "@tanstack/react-router";
import { Columns2, Upload } from "lucide-react";
import { useMemo } from "react";
import { useRefusal } from "@/api/access";
import { useFigures } from "@/api/figures";
import { useProject } from "@/api/project";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Combobox } from "@/ui/Combobox";
import { Filters } from "@/ui/Filters";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { Table } from "@/ui/Table";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { AdoptionPanel } from "./AdoptionPanel";
import { columns } from "./columns";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** The list of releases. The server applies the search and the filters. */
export default function Releases() {
  const { slug } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  const [view, setView] = usePageSearch("/$project/releases");
  const query = useList<Release>("/v1/ota/updates", {
    channel: view.channel || undefined,
    platform: view.platform || undefined,
    isEnabled: view.enabled ? view.enabled === "on" : undefined,
    wholeGroups: true,
  });
  const { byPage } = query;
  const figures = useFigures(useMemo(() => byPage.map((rows) => rows.map(({ id }) => id)), [byPage]));
  const isFiltered = Boolean(view.channel || view.platform || view.enabled);
  const controls = (
    <>
      <Filters active={[view.channel, view.platform, view.enabled].filter(Boolean).length}>
        <Combobox of="channel" label={strings.channel} none={strings.anyChannel} value={view.channel} onChange={(channel) => setView({ channel })} />
        <Select
          label={strings.platform}
          value={view.platform}
          onChange={(platform) => setView({ platform })}
          options={[
            { value: "", label: strings.anyPlatform },
            { value: "ios", label: "iOS" },
            { value: "android", label: "Android" },
          ]}
        />
        <Select
          label={strings.state}
          value={view.enabled}
          onChange={(enabled) => setView({ enabled })}
          options={[
            { value: "", label: strings.anyState },
            { value: "on", label: strings.on },
            { value: "off", label: strings.off },
          ]}
        />
      </Filters>
    </>
  );
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <>
          <Button
            icon={<Columns2 size={14} aria-hidden />}
            command={strings.compare.command}
            onClick={() => void navigate({ to: "/$project/releases/compare", params: { project: slug } })}
          >
            {strings.compare.label}
          </Button>
          <Button
            kind="primary"
            icon={<Upload size={14} aria-hidden />}
            refusal={refusal}
            command={frame.nav.publish}
            onClick={() => void navigate({ to: "/$project/publish", params: { project: slug } })}
          >
            {frame.nav.publish}
          </Button>
        </>
      }
    >
      <AdoptionPanel />
      <Panel title={strings.table} query={query} flush placeholder="h-96">
        {(rows) => (
          <Table
            label={strings.table}
            rows={rows}
            columns={columns(slug, figures)}
            rowId={(row) => String(row.id)}
            groupOf={(row) => row.groupId}
            controls={controls}
            rowHeight={52}
            onMore={query.more}
            list={query.list}
            filter={{ label: strings.search }}
            empty={isFiltered ? undefined : <Empty title={strings.empty.title} text={strings.empty.text} command={strings.empty.command} />}
          />
        )}
      </Panel>
    </Page>
  );
}
