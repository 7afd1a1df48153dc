import { useController, useWatch } from "react-hook-form";
import type { Schemas } from "@/api/client";
import { taggedKey, type Tagged } from "@/api/tagged";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { Opened } from "@/form/Opened";
import { Overtaken } from "@/form/Overtaken";
import { useRecordForm } from "@/form/useRecordForm";
import { ConditionRows } from "@/targeting/ConditionRows";
import { Estimate } from "@/targeting/Estimate";
import { EffectOfInput } from "@/ui/EffectOfInput";
import { useEffectOfInput } from "@/ui/useEffectOfInput";
import { bodyOf, draftOf, isComplete, type Draft } from "./draft";
import { strings } from "./strings";

type Segment = Schemas["Segment"];

const path = "/v1/ota/segments/{id}";

const matches = Object.entries(strings.matches).map(([value, label]) => ({ value, label }));

/** The dialog that creates or changes a segment. Shows the number of devices in the edited segment. */
export function Editor({ segment, onClose }: { segment?: Segment; onClose: () => void }) {
  if (!segment) return <Form onClose={onClose} />;
  return (
    <Opened<Segment> path={path} params={{ id: segment.id }} title={segment.name} onClose={onClose}>
      {(stored) => <Form stored={stored} onClose={onClose} />}
    </Opened>
  );
}

function Form({ stored, onClose }: { stored?: Tagged<Segment>; onClose: () => void }) {
  const { base, fields, save, isOvertaken, load, keep } = useRecordForm<Segment, Draft>({
    stored,
    queryKey: stored && taggedKey(path, { id: stored.record.id }),
    draftOf,
    send: (client, draft, base, key) =>
      base
        ? client.PATCH(path, { params: { path: { id: base.record.id }, header: { "If-Match": base.etag } }, body: bodyOf(draft, false) })
        : client.POST("/v1/ota/segments", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) }),
    done: strings.saved,
    onSaved: onClose,
  });
  const { form } = fields;
  const segment = base?.record;
  const draft = useWatch({ control: form.control }) as Draft;
  const effect = useEffectOfInput({
    of: ["segment", segment?.id ?? 0],
    input: segment && fields.isDirty && isComplete(draft) ? bodyOf(draft, false) : null,
    send: (client, body, signal) => client.POST("/v1/ota/segments/{id}/preview", { params: { path: { id: segment?.id ?? 0 } }, body, signal }),
  });
  const { field: conditions } = useController({ control: form.control, name: "conditions" });
  return (
    <FormDialog
      fields={fields}
      wide
      title={segment?.name ?? strings.add}
      submit={strings.save}
      refusal={isComplete(draft) ? effect.refusal : strings.unready}
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
      <EffectOfInput preview={effect} />
      {segment && isOvertaken && <Overtaken entityType="segment" entityId={segment.id} onLoad={load} onKeep={keep} />}
    </FormDialog>
  );
}
