import { useParams } from "@tanstack/react-router";
import { useApi } from "@/api/project";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { ReleaseBadges } from "@/pages/releases/ReleaseBadges";
import { strings as frame } from "@/strings";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Tabs } from "@/ui/Tabs";
import { Actions } from "./Actions";
import { ErrorsOfRelease } from "./ErrorsOfRelease";
import { HealthOfRelease } from "./HealthOfRelease";
import { HistoryOfRelease } from "./HistoryOfRelease";
import { IncidentBadge } from "./IncidentBadge";
import { LinkedFlags } from "./LinkedFlags";
import { Patches } from "./Patches";
import { ReleaseFacts } from "./ReleaseFacts";
import { strings } from "./strings";

/** The page of a release: its devices, its health compared with the previous release, and its actions. */
export default function Release() {
  const { id } = useParams({ from: "/$project/releases/$id" });
  const query = useApi().useQuery("get", "/v1/ota/updates/{id}", { params: { path: { id: Number(id) } } });
  const release = query.data;
  if (!release) {
    return (
      <Page title={strings.title}>
        <Panel title={strings.facts.title} query={query} placeholder="h-64">
          {null}
        </Panel>
      </Page>
    );
  }
  return (
    <Page
      title={releaseName(release)}
      beside={
        <>
          <ReleaseBadges release={release} />
          <IncidentBadge release={release} />
        </>
      }
      lead={[frame.platforms[release.platform], release.channel ?? release.branchName, releaseNumber(release.id)].join(" · ")}
      actions={<Actions release={release} />}
    >
      <HealthOfRelease release={release} />
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <div className="min-w-0">
          <Tabs
            label={strings.parts}
            tabs={[
              { id: "history", label: strings.history.title, content: <HistoryOfRelease id={release.id} /> },
              { id: "errors", label: strings.errors.title, content: <ErrorsOfRelease uuid={release.updateUuid} /> },
              { id: "patches", label: strings.patches.title, content: <Patches id={release.id} /> },
            ]}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={strings.facts.title} query={query} placeholder="h-64">
            {(release) => <ReleaseFacts release={release} />}
          </Panel>
          <Panel title={strings.flags.title} query={query}>
            {(release) => <LinkedFlags flags={release.linkedFlags} />}
          </Panel>
        </div>
      </div>
    </Page>
  );
}
