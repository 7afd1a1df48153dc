import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Dialog } from "@/ui/Dialog";
import { Field, fieldError } from "@/ui/Field";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

type Incident = Schemas["Incident"];

/** What is known of an incident, and whether somebody looks after it. */
export function EditDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const [note, setNote] = useState(incident.note);
  const [acknowledged, setAcknowledged] = useState(incident.acknowledgedBy !== null);
  const save = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> =>
      client.PATCH("/v1/ota/telemetry/incidents/{id}", { params: { path: { id: incident.id } }, body: { note: note.trim() || null, acknowledged } }),
    done: strings.done.saved,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={strings.editOf(incident.id)}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={strings.note} hint={strings.noteHint} error={fieldError(save.error, "note")}>
          <textarea className="field h-24 py-1.5" value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <Check label={strings.mine} checked={acknowledged} onChange={(event) => setAcknowledged(event.target.checked)} />
        {save.error && save.error.fields.length === 0 && <NotDone problem={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {strings.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
