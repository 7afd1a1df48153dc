import { useState } from "react";
import { useController, useWatch } from "react-hook-form";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { asProblem } from "@/api/problem";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { Overtaken } from "@/form/Overtaken";
import { rebased } from "@/form/rebased";
import { useFields } from "@/form/useFields";
import { ConditionRows } from "@/targeting/ConditionRows";
import { Estimate } from "@/targeting/Estimate";
import { bodyOf, draftOf, isComplete, type Draft } from "./draft";
import { strings } from "./strings";
import { useStored, type Stored } from "./useStored";

type Segment = Schemas["Segment"];

const matches = Object.entries(strings.matches).map(([value, label]) => ({ value, label }));

/** Makes a segment or changes one, with the number of devices that are in it as it is edited. */
export function Editor({ segment, onClose }: { segment?: Segment; onClose: () => void }) {
  const { data: stored, refetch } = useStored(segment?.id);
  // The segment that the form is a change of: saving is refused when somebody else saved another one since.
  const [base, setBase] = useState<Stored>();
  if (segment && !base && stored) {
    const isSame = stored.segment.updatedAt === segment.updatedAt;
    // Of a list that is older than the segment.
    setBase(isSame ? stored : { segment, etag: '"older"' });
  }
  const save = useChange<Draft, unknown>({
    run: (client, draft, key): Promise<{ data?: unknown }> =>
      segment
        ? client
            .PATCH("/v1/ota/segments/{id}", {
              params: { path: { id: segment.id }, header: base ? { "If-Match": base.etag } : {} },
              body: bodyOf(draft, false),
            })
            .catch((error: unknown) => {
              if (asProblem(error).status === 412) void refetch();
              throw error;
            })
        : client.POST("/v1/ota/segments", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) }),
    done: strings.saved,
    onDone: onClose,
  });
  const fields = useFields<Draft>({ defaults: draftOf(segment), submit: save.mutate, problem: save.error?.status === 412 ? null : save.error });
  const { form } = fields;
  const draft = useWatch({ control: form.control }) as Draft;
  const { field: conditions } = useController({ control: form.control, name: "conditions" });
  const load = () => {
    setBase(stored);
    form.reset(draftOf(stored?.segment));
    save.reset();
  };
  const keep = () => {
    const mine = rebased(draftOf(base?.segment), form.getValues(), draftOf(stored?.segment));
    load();
    form.reset(mine, { keepDefaultValues: true });
  };
  return (
    <FormDialog
      fields={fields}
      wide
      title={segment?.name ?? strings.add}
      submit={strings.save}
      refusal={isComplete(draft) ? null : strings.unready}
      busy={save.isPending}
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Input of={fields} name="name" label={strings.name} />
        {segment ? (
          <div className="flex flex-col gap-1">
            <span className="text-xs font-medium">{strings.key}</span>
            <span className="py-1.5 font-mono text-xs break-all">{segment.key}</span>
          </div>
        ) : (
          <Input of={fields} name="key" label={strings.key} hint={strings.keyHint} />
        )}
      </div>
      <Input of={fields} name="description" label={strings.description} />
      <Choice of={fields} name="matchType" label={strings.match} options={matches} />
      <ConditionRows conditions={draft.conditions} problem={save.error} path="conditions" onChange={conditions.onChange} />
      <Estimate conditions={draft.conditions} matchType={draft.matchType} />
      {segment && base && stored && base.etag !== stored.etag && <Overtaken entityType="segment" entityId={segment.id} onLoad={load} onKeep={keep} />}
    </FormDialog>
  );
}
