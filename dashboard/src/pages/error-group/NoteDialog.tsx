import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { FormDialog } from "@/form/FormDialog";
import { TextArea } from "@/form/TextArea";
import { useFields } from "@/form/useFields";
import { strings } from "./strings";

const text = strings.owner;

/** The dialog to edit the note of an error group. */
export function NoteDialog({ group, onClose }: { group: Schemas["ErrorGroupDetail"]; onClose: () => void }) {
  const save = useChange<{ note: string }>({
    run: (client, { note }) =>
      client.PATCH("/v1/ota/observe/groups/{fingerprint}", { params: { path: { fingerprint: group.fingerprint } }, body: { note: note.trim() || null } }),
    done: text.saved,
    onDone: onClose,
  });
  const fields = useFields({ defaults: { note: group.note }, submit: save.mutate, problem: save.error });
  return (
    <FormDialog fields={fields} title={group.note ? text.editNote : text.addNote} submit={text.save} busy={save.isPending} onClose={onClose}>
      <TextArea of={fields} name="note" label={text.note} hint={text.noteHint} spellCheck className="h-24 font-sans!" />
    </FormDialog>
  );
}
