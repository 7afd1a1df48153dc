import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { taggedKey, type Tagged } from "@/api/tagged";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Overtaken } from "@/form/Overtaken";
import { Rejection } from "@/form/Rejection";
import { SaveBar } from "@/form/SaveBar";
import { useRecordForm } from "@/form/useRecordForm";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Basics } from "./Basics";
import { bodyOf, draftOf, type Draft } from "./draft";
import { EventRows } from "./EventRows";
import { Forecast } from "./Forecast";
import { InUse } from "./InUse";
import { LimitFields } from "./LimitFields";
import { ScheduleFields } from "./ScheduleFields";
import { StageRows } from "./StageRows";
import { strings } from "./strings";

type Policy = Schemas["RolloutPolicy"];

/** The form of a policy with its forecast and the buttons to save or delete it. */
export function Editor({ stored }: { stored?: Tagged<Policy> }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  const [removes, setRemoves] = useState(false);
  const { base, fields, save, isOvertaken, load, keep } = useRecordForm<Policy, Draft>({
    stored,
    queryKey: stored && taggedKey("/v1/ota/rollout-policies/{id}", { id: stored.record.id }),
    draftOf,
    send: (client, draft, base, key) =>
      base
        ? client.PATCH("/v1/ota/rollout-policies/{id}", {
            params: { path: { id: base.record.id }, header: { "If-Match": base.etag } },
            body: bodyOf(draft, false) as Schemas["PatchPolicyBody"],
          })
        : client.POST("/v1/ota/rollout-policies", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) }),
    done: strings.saved,
    onSaved: ({ record }) => {
      if (!stored) void navigate({ to: "/$project/policies/$id", params: { project, id: String(record.id) }, replace: true, ignoreBlocker: true });
    },
  });
  const { form, isDirty } = fields;
  const running = stored?.record.runningExecutions.length ?? 0;
  const locked = running > 0 ? strings.running(running) : null;
  // The server refuses every change of a policy in use, so its fields are shown as read-only.
  const isFixed = refusal !== null || locked !== null;
  const saving = (
    <>
      {base && isDirty && <Button command onClick={load}>{strings.discard}</Button>}
      <Button kind="primary" type="submit" command={strings.saveCommand} refusal={refusal ?? locked ?? (base && !isDirty ? strings.unchanged : null)} busy={save.isPending}>
        {strings.save}
      </Button>
    </>
  );
  return (
    <>
      <form {...fields.props}>
        <Page
          title={base?.record.name ?? strings.newTitle}
          lead={stored && locked && <InUse policyId={stored.record.id} reason={locked} rollouts={stored.record.runningExecutions} />}
          actions={
            <>
              {base && (
                <Button command={strings.removeCommand} refusal={refusal ?? locked} onClick={() => setRemoves(true)}>
                  {strings.remove}
                </Button>
              )}
              <div className="hidden gap-2 md:flex">{saving}</div>
            </>
          }
        >
          {base && isOvertaken && <Overtaken entityType="policy" entityId={base.record.id} onLoad={load} onKeep={keep} />}
          <Rejection problem={fields.left} />
          <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
            <fieldset disabled={isFixed} className="flex min-w-0 flex-col gap-4">
              <Panel title={strings.basics.title}>
                <Basics fields={fields} />
              </Panel>
              <Panel title={strings.stages.title}>
                <StageRows fields={fields} disabled={isFixed} />
              </Panel>
              <Panel title={strings.limits.title}>
                <LimitFields fields={fields} />
              </Panel>
              <Panel title={strings.events.title}>
                <EventRows fields={fields} disabled={isFixed} />
              </Panel>
              <Panel title={strings.schedule.title}>
                <ScheduleFields fields={fields} disabled={isFixed} />
              </Panel>
            </fieldset>
            <Forecast control={form.control} />
          </div>
          {(!base || isDirty) && <SaveBar>{saving}</SaveBar>}
        </Page>
      </form>
      <LeaveGuard when={isDirty && !save.isPending && !removes} />
      {base && removes && (
        <DangerDialog
          onClose={() => setRemoves(false)}
          title={`${strings.remove}: ${base.record.name}`}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.removed}
          run={(client) =>
            client.DELETE("/v1/ota/rollout-policies/{id}", { params: { path: { id: base.record.id }, header: { "If-Match": base.etag } } })
          }
          onDone={() => void navigate({ to: "/$project/policies", params: { project } })}
        />
      )}
    </>
  );
}
