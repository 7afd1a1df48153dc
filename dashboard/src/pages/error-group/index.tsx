import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { count } from "@/format/format";
import { beginOf } from "@/pages/observe/ranges";
import { StateBadge, StatusBadge } from "@/pages/observe/StateBadge";
import { strings as observe } from "@/pages/observe/strings";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Copy } from "@/ui/Copy";
import { Figure } from "@/ui/Figure";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { optionsOf, Select } from "@/ui/Select";
import { Sparkline } from "@/ui/Sparkline";
import { Time } from "@/ui/Time";
import { usePageSearch } from "@/ui/usePageSearch";
import { Frames } from "./Frames";
import { Owner } from "./Owner";
import { Samples } from "./Samples";
import { Shares } from "./Shares";
import { stackText } from "./stackText";
import { strings } from "./strings";

type Group = Schemas["ErrorGroupDetail"];

/** The page of an error group: where the error occurs, the affected devices, and samples. */
export default function ErrorGroup() {
  const { fingerprint } = useParams({ from: "/$project/observe/$fingerprint" });
  const [{ range }, setView] = usePageSearch("/$project/observe/$fingerprint");
  const [window, setWindow] = useState({ range, from: beginOf(range) });
  if (window.range !== range) setWindow({ range, from: beginOf(range) });
  const query = useApi().useQuery("get", "/v1/ota/observe/groups/{fingerprint}", { params: { path: { fingerprint }, query: { from: window.from } } });
  const group = query.data;
  if (!group) {
    return (
      <Page title={strings.loading}>
        <Panel title={strings.figures.title} query={query} placeholder="h-64">
          {null}
        </Panel>
      </Page>
    );
  }
  return (
    <Page
      title={group.errorName || group.message || strings.loading}
      lead={<Lead group={group} />}
      beside={
        <>
          {group.type === "crash" && <Badge tone="bad">{observe.crash}</Badge>}
          <StateBadge state={group.state} />
          {group.status !== "open" && <StatusBadge status={group.status} />}
        </>
      }
      actions={
        <Select
          label={strings.range}
          value={range}
          onChange={(range) => setView({ range })}
          options={optionsOf(observe.ranges)}
        />
      }
    >
      <Panel title={strings.figures.title} query={query} placeholder="h-20">
        {(group) => (
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-5">
            <Figure label={strings.figures.devices} value={count(group.devices)} />
            <Figure label={strings.figures.events} value={count(group.events)} />
            <Figure label={strings.figures.first} value={<Time at={group.firstSeenAt} />} note={<ReleaseLink key="first" release={group.firstRelease} uuid={group.firstUpdateUuid} />} />
            <Figure label={strings.figures.last} value={<Time at={group.lastSeenAt} />} note={<ReleaseLink key="last" release={group.lastRelease} uuid={group.lastUpdateUuid} />} />
            <Figure label={strings.figures.trend} value={<Sparkline values={group.trend} label={observe.trend} />} note={observe.columns.trend} />
          </div>
        )}
      </Panel>
      <Owner query={query} />
      <Panel
        title={strings.stack.title}
        query={query}
        flush
        isEmpty={(group) => group.frames.length === 0}
        empty={<p className="p-3 text-muted">{strings.stack.none}</p>}
        actions={group.frames.length > 0 && <Copy text={stackText(`${group.errorName}: ${group.message}`, group.frames)} label={strings.stack.copy} />}
      >
        {(group) => (
          <>
            {!group.frames.some((each) => each.symbolicated) && <p className="border-b px-3 py-2 text-xs text-muted">{strings.stack.noMap}</p>}
            <Frames frames={group.frames} />
          </>
        )}
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Shares
          title={strings.by.update}
          name={strings.by.names.update}
          query={query}
          rowsOf={(group: Group) =>
            group.byUpdate.map((row) => ({ ...row, key: row.updateUuid ?? "", name: <ReleaseLink release={row.release} uuid={row.updateUuid} /> }))
          }
        />
        <Shares
          title={strings.by.platform}
          name={strings.by.names.platform}
          query={query}
          rowsOf={(group: Group) => group.byPlatform.map((row) => ({ ...row, key: row.platform, name: frame.platforms[row.platform] }))}
        />
        <Shares
          title={strings.by.flag}
          name={strings.by.names.flag}
          query={query}
          none={strings.by.noFlag}
          rowsOf={(group: Group) => group.byFlag.map((row) => ({ ...row, key: `${row.flagKey} ${row.variation}`, name: `${row.flagKey}: ${row.variation}` }))}
        />
      </div>
      <Panel title={strings.samples.title} query={query} flush>
        {(group) => <Samples samples={group.samples} />}
      </Panel>
    </Page>
  );
}

function Lead({ group }: { group: Group }) {
  return (
    <>
      {group.errorName && <p className="break-words">{group.message}</p>}
      {group.culprit && (
        <p>
          {strings.culprit} <code className="font-mono text-xs break-all">{group.culprit}</code>
        </p>
      )}
    </>
  );
}
