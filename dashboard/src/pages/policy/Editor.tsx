import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { isPending, useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi, useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Basics } from "./Basics";
import { bodyOf, draftOf, isComplete } from "./draft";
import { Forecast } from "./Forecast";
import { LimitFields } from "./LimitFields";
import { ScheduleFields } from "./ScheduleFields";
import { StageRows } from "./StageRows";
import { strings } from "./strings";

type Policy = Schemas["RolloutPolicy"];

/** A draft of the policy, its forecast, and the buttons that save or delete it. */
export function Editor({ policy }: { policy?: Policy }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  const channels = useApi().useQuery("get", "/v1/ota/channels", { params: { query: { limit: pageLength } } });
  // The draft is of the policy as it was when the editing began.
  const [base, setBase] = useState(policy);
  const [draft, setDraft] = useState(() => draftOf(policy));
  const [removes, setRemoves] = useState(false);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base));
  const isBehind = base?.updatedAt !== policy?.updatedAt;
  const load = () => {
    setBase(policy);
    setDraft(draftOf(policy));
  };
  // Somebody else's change shows at once while nothing is edited.
  if (isBehind && !isChanged) load();
  const save = useChange<void, unknown>({
    run: (client, _input, key): Promise<{ data?: unknown }> =>
      base
        ? client.PATCH("/v1/ota/rollout-policies/{id}", { params: { path: { id: base.id } }, body: bodyOf(draft, false) as Schemas["PatchPolicyBody"] })
        : client.POST("/v1/ota/rollout-policies", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) }),
    done: strings.saved,
    onDone: (output) => {
      if (isPending(output)) return;
      const saved = output as Policy;
      setBase(saved);
      setDraft(draftOf(saved));
      if (!base) void navigate({ to: "/$project/policies/$id", params: { project, id: String(saved.id) }, replace: true });
    },
  });
  const part = { draft, problem: save.error, disabled: refusal !== null, onChange: (change: Partial<typeof draft>) => setDraft({ ...draft, ...change }) };
  const unready = base && !isChanged ? strings.unchanged : isComplete(draft) ? null : strings.incomplete;
  return (
    <Page
      title={base?.name ?? strings.newTitle}
      lead={base && base.runningExecutions.length > 0 && strings.running(base.runningExecutions.length)}
      actions={
        <>
          {base && (
            <Button refusal={refusal} onClick={() => setRemoves(true)}>
              {strings.remove}
            </Button>
          )}
          {base && isChanged && <Button onClick={load}>{strings.discard}</Button>}
          <Button kind="primary" refusal={refusal ?? unready} busy={save.isPending} onClick={() => save.mutate()}>
            {strings.save}
          </Button>
        </>
      }
    >
      {isBehind && isChanged && (
        <div role="status" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
          <span className="flex-1">{strings.faster}</span>
          <Button size="sm" onClick={load}>
            {strings.reload}
          </Button>
        </div>
      )}
      {save.error && <Failure error={save.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={strings.basics.title}>
            <Basics {...part} channels={(channels.data ?? []).map(({ name }) => name)} />
          </Panel>
          <Panel title={strings.stages.title}>
            <StageRows {...part} />
          </Panel>
          <Panel title={strings.limits.title}>
            <LimitFields {...part} />
          </Panel>
          <Panel title={strings.schedule.title}>
            <ScheduleFields {...part} />
          </Panel>
        </div>
        <Forecast draft={draft} />
      </div>
      {base && removes && (
        <DangerDialog
          open
          onClose={() => setRemoves(false)}
          title={`${strings.remove}: ${base.name}`}
          text={strings.removeText}
          confirm={strings.remove}
          withoutReason
          done={strings.removed}
          run={(client): Promise<{ data?: unknown }> => client.DELETE("/v1/ota/rollout-policies/{id}", { params: { path: { id: base.id } } })}
          onDone={() => void navigate({ to: "/$project/policies", params: { project } })}
        />
      )}
    </Page>
  );
}
