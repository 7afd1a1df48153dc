import { useParams } from "@tanstack/react-router";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { useApi } from "@/api/project";
import { releaseName } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Actions } from "./Actions";
import { Curves } from "./Curves";
import { HealthFigures } from "./HealthFigures";
import { RolloutFacts } from "./RolloutFacts";
import { StageTrack } from "./StageTrack";
import { StatusBadge } from "./StatusBadge";
import { Timeline } from "./Timeline";
import { TraceDevice } from "./TraceDevice";
import { WentBack } from "./WentBack";
import { reasonOf } from "./reason";
import { isOpen } from "./status";
import { strings } from "./strings";

const points = 500;

/** The page of a rollout: its state with the reason, its health, and its commands. */
export default function Rollout() {
  const { id } = useParams({ from: "/$project/rollouts/$id" });
  const params = { path: { id: Number(id) } };
  const execution = useApi().useQuery("get", "/v1/ota/rollout-executions/{id}", { params });
  const looks = useApi().useQuery(
    "get",
    "/v1/ota/rollout-executions/{id}/looks",
    { params: { ...params, query: { limit: points } } },
  );
  const rollout = execution.data;
  if (!rollout) {
    return (
      <Page title={strings.loading}>
        <Panel title={strings.stages.title} query={execution} placeholder="h-28">
          {null}
        </Panel>
      </Page>
    );
  }
  return (
    <Page
      title={strings.title(releaseName(rollout))}
      beside={
        <>
          <ReleaseNumber id={rollout.updateId} />
          <StatusBadge execution={rollout} />
        </>
      }
      lead={
        <>
          <span aria-live="polite">{rollout.reason ? reasonOf(rollout) : [rollout.channel, frame.platforms[rollout.platform], rollout.runtimeVersion].filter(Boolean).join(" · ")}</span>
          {rollout.successor && <WentBack successor={rollout.successor} />}
        </>
      }
      actions={<Actions execution={rollout} />}
    >
      <Panel title={strings.stages.title} query={execution} placeholder="h-28">
        {(rollout) => <StageTrack execution={rollout} />}
      </Panel>
      <Panel title={strings.health.title} query={execution} placeholder="h-20">
        {(rollout) => <HealthFigures execution={rollout} />}
      </Panel>
      <Panel title={strings.curve.title} query={looks} placeholder="h-83" isEmpty={(looks) => looks.length === 0} empty={<p className="text-muted">{frame.chart.noData}</p>}>
        {(looks) => <Curves execution={rollout} looks={looks} />}
      </Panel>
      {/* Shown once the height of the curves is known, so that it does not jump. */}
      {(looks.data || looks.error != null) && (
        <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
          <Panel title={strings.timeline.title} query={execution}>
            {(rollout) => <Timeline execution={rollout} />}
          </Panel>
          <div className="flex flex-col gap-4">
            <Panel title={strings.facts.title} query={execution}>
              {(rollout) => <RolloutFacts execution={rollout} />}
            </Panel>
            {isOpen(rollout) && (
              <Panel title={strings.trace.title}>
                <TraceDevice />
              </Panel>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}
