import { useState } from "react";
import { useChange } from "@/api/change";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

/** Gives a user another branch. */
export function NewOverride({ onClose }: { onClose: () => void }) {
  const branches = useApi().useQuery("get", "/v1/ota/branches", { params: { query: { limit: pageLength } } });
  const [draft, setDraft] = useState({ userId: "", branchName: "", note: "" });
  const add = useChange({
    run: (client, _input: void, key) =>
      client.POST("/v1/ota/user-overrides", {
        params: { header: { "Idempotency-Key": key } },
        body: { userId: draft.userId.trim(), branchName: draft.branchName, note: draft.note.trim() || undefined },
      }),
    done: strings.added,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={strings.add} text={strings.lead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!add.isPending) add.mutate();
        }}
      >
        <Field label={strings.user} hint={strings.userHint} error={fieldError(add.error, "userId")}>
          <input className="field" required spellCheck={false} autoCapitalize="off" value={draft.userId} onChange={(event) => setDraft({ ...draft, userId: event.target.value })} />
        </Field>
        <Field label={strings.branch} error={fieldError(add.error, "branchName")}>
          <Select
            className="w-full"
            required
            value={draft.branchName}
            onChange={(branchName) => setDraft({ ...draft, branchName })}
            options={[{ value: "", label: strings.choose }, ...(branches.data ?? []).map(({ name }) => ({ value: name, label: name }))]}
          />
        </Field>
        <Field label={strings.note} hint={strings.noteHint} error={fieldError(add.error, "note")}>
          <input className="field" value={draft.note} onChange={(event) => setDraft({ ...draft, note: event.target.value })} />
        </Field>
        {add.error && <Failure error={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {strings.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
