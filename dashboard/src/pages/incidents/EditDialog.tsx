import { nameOf } from "./nameOf";
import type { Schemas } from "@/api/client";
import { taggedKey, type Tagged } from "@/api/tagged";
import { FormDialog } from "@/form/FormDialog";
import { Opened } from "@/form/Opened";
import { Overtaken } from "@/form/Overtaken";
import { TextArea } from "@/form/TextArea";
import { useRecordForm } from "@/form/useRecordForm";
import { Check } from "@/ui/Check";
import { strings } from "./strings";

type Incident = Schemas["Incident"];

interface Draft {
  note: string;
  acknowledged: boolean;
}

const path = "/v1/ota/telemetry/incidents/{id}";

/** The dialog to edit an incident's note and acknowledgement. */
export function EditDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Opened<Incident> path={path} params={{ id }} title={strings.incident} onClose={onClose}>
      {(stored) => <Form stored={stored} onClose={onClose} />}
    </Opened>
  );
}

function Form({ stored, onClose }: { stored: Tagged<Incident>; onClose: () => void }) {
  const { id } = stored.record;
  const { fields, save, isOvertaken, load, keep } = useRecordForm<Incident, Draft>({
    stored,
    queryKey: taggedKey(path, { id }),
    draftOf,
    send: (client, { note, acknowledged }, base) =>
      client.PATCH(path, { params: { path: { id }, header: { "If-Match": base?.etag } }, body: { note: note.trim() || null, acknowledged } }),
    done: strings.done.saved,
    onSaved: onClose,
  });
  return (
    <FormDialog fields={fields} title={nameOf(stored.record)} submit={strings.save} busy={save.isPending} onClose={onClose}>
      <TextArea of={fields} name="note" label={strings.note} hint={strings.noteHint} spellCheck className="h-24 font-sans!" />
      <Check label={strings.mine} {...fields.form.register("acknowledged")} />
      {isOvertaken && <Overtaken entityType="incident" entityId={id} onLoad={load} onKeep={keep} />}
    </FormDialog>
  );
}

function draftOf(incident?: Incident): Draft {
  return { note: incident?.note ?? "", acknowledged: Boolean(incident?.acknowledgedBy) };
}
