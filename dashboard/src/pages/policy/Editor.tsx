import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useRefusal } from "@/api/access";
import { isPending, useChange } from "@/api/change";
import { asProblem } from "@/api/problem";
import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi, useProject } from "@/api/project";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Overtaken } from "@/form/Overtaken";
import { rebased } from "@/form/rebased";
import { Rejection } from "@/form/Rejection";
import { useFields } from "@/form/useFields";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Basics } from "./Basics";
import { bodyOf, draftOf, type Draft } from "./draft";
import { EventRows } from "./EventRows";
import { Forecast } from "./Forecast";
import { LimitFields } from "./LimitFields";
import { ScheduleFields } from "./ScheduleFields";
import { StageRows } from "./StageRows";
import { strings } from "./strings";
import { policyKey, type Stored } from "./usePolicy";

type Policy = Schemas["RolloutPolicy"];

/** The form of a policy, its forecast, and the buttons that save or delete it. */
export function Editor({ stored, onBehind }: { stored?: Stored; onBehind?: () => void }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const refusal = useRefusal("editor");
  const channels = useApi().useQuery("get", "/v1/ota/channels", { params: { query: { limit: pageLength } } });
  // The policy that the form is a change of: saving it is refused when somebody else saved another one since.
  const [base, setBase] = useState(stored);
  const [removes, setRemoves] = useState(false);
  const save = useChange<Draft, Stored>({
    run: async (client, draft, key) => {
      const answer = await (base
        ? client.PATCH("/v1/ota/rollout-policies/{id}", {
            params: { path: { id: base.policy.id }, header: { "If-Match": base.etag } },
            body: bodyOf(draft, false) as Schemas["PatchPolicyBody"],
          })
        : client.POST("/v1/ota/rollout-policies", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) })
      ).catch((error: unknown) => {
        if (asProblem(error).status === 412) onBehind?.();
        throw error;
      });
      return { data: { policy: answer.data as Policy, etag: answer.response.headers.get("ETag") ?? "*" } };
    },
    done: strings.saved,
    onDone: (saved) => {
      if (isPending(saved.policy)) return;
      queries.setQueryData(policyKey(saved.policy.id), saved);
      load(saved);
      if (!base) void navigate({ to: "/$project/policies/$id", params: { project, id: String(saved.policy.id) }, replace: true });
    },
  });
  const isRefused = save.error?.status === 412;
  const fields = useFields<Draft>({ defaults: draftOf(base?.policy), submit: save.mutate, problem: isRefused ? null : save.error });
  const { form, isDirty } = fields;
  const load = (next: Stored | undefined) => {
    setBase(next);
    form.reset(draftOf(next?.policy));
    save.reset();
  };
  const keep = () => {
    const theirs = draftOf(stored?.policy);
    const mine = rebased(draftOf(base?.policy), form.getValues(), theirs);
    load(stored);
    form.reset(mine, { keepDefaultValues: true });
  };
  const running = stored?.policy.runningExecutions.length ?? 0;
  const locked = running > 0 ? strings.running(running) : null;
  const isBehind = base?.etag !== stored?.etag && !save.isPending;
  useEffect(() => {
    // Somebody else's change shows at once while nothing is edited.
    if (isBehind && !isDirty) load(stored);
  });
  return (
    <>
      <form {...fields.props}>
        <Page
          title={base?.policy.name ?? strings.newTitle}
          lead={locked}
          actions={
            <>
              {base && (
                <Button refusal={refusal ?? locked} onClick={() => setRemoves(true)}>
                  {strings.remove}
                </Button>
              )}
              {base && isDirty && <Button onClick={() => load(stored)}>{strings.discard}</Button>}
              <Button kind="primary" type="submit" refusal={refusal ?? locked ?? (base && !isDirty ? strings.unchanged : null)} busy={save.isPending}>
                {strings.save}
              </Button>
            </>
          }
        >
          {base && isBehind && isDirty && <Overtaken entityType="policy" entityId={base.policy.id} onLoad={() => load(stored)} onKeep={keep} />}
          <Rejection problem={fields.left} />
          <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
            <fieldset disabled={refusal !== null} className="flex min-w-0 flex-col gap-4">
              <Panel title={strings.basics.title}>
                <Basics fields={fields} channels={(channels.data ?? []).map(({ name }) => name)} />
              </Panel>
              <Panel title={strings.stages.title}>
                <StageRows fields={fields} disabled={refusal !== null} />
              </Panel>
              <Panel title={strings.limits.title}>
                <LimitFields fields={fields} />
              </Panel>
              <Panel title={strings.events.title}>
                <EventRows fields={fields} disabled={refusal !== null} />
              </Panel>
              <Panel title={strings.schedule.title}>
                <ScheduleFields fields={fields} disabled={refusal !== null} />
              </Panel>
            </fieldset>
            <Forecast control={form.control} />
          </div>
        </Page>
      </form>
      <LeaveGuard when={isDirty && !save.isPending && !removes} />
      {base && removes && (
        <DangerDialog
          open
          onClose={() => setRemoves(false)}
          title={`${strings.remove}: ${base.policy.name}`}
          text={strings.removeText}
          confirm={strings.remove}
          withoutReason
          done={strings.removed}
          run={(client): Promise<{ data?: unknown }> =>
            client.DELETE("/v1/ota/rollout-policies/{id}", { params: { path: { id: base.policy.id }, header: { "If-Match": base.etag } } })
          }
          onDone={() => void navigate({ to: "/$project/policies", params: { project } })}
        />
      )}
    </>
  );
}
