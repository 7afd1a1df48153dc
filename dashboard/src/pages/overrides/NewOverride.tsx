import { useWatch } from "react-hook-form";
import { useChange } from "@/api/change";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { RecordChoice } from "@/form/RecordChoice";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { EffectOfInput } from "@/ui/EffectOfInput";
import { useEffectOfInput } from "@/ui/useEffectOfInput";
import { strings } from "./strings";

/** The dialog that adds a user override. */
export function NewOverride({ onClose }: { onClose: () => void }) {
  const add = useChange<{ userId: string; branchName: string; note: string }>({
    run: (client, { userId, branchName, note }, key) =>
      client.POST("/v1/ota/user-overrides", {
        params: { header: { "Idempotency-Key": key } },
        body: { userId: userId.trim(), branchName, note: note.trim() || undefined },
      }),
    done: strings.added,
    onDone: onClose,
  });
  const fields = useFields({ defaults: { userId: "", branchName: "", note: "" }, submit: add.mutate, problem: add.error });
  const { userId, branchName } = useWatch({ control: fields.form.control });
  const body = { userId: userId?.trim() ?? "", branchName: branchName ?? "" };
  const effect = useEffectOfInput({
    of: ["override"],
    input: body.userId && body.branchName ? body : null,
    send: (client, body, signal) => client.POST("/v1/ota/user-overrides/preview", { body, signal }),
  });
  return (
    <FormDialog fields={fields} title={strings.add} text={strings.lead} submit={strings.add} refusal={effect.refusal} busy={add.isPending} onClose={onClose}>
      <Input of={fields} name="userId" label={strings.user} hint={strings.userHint} spellCheck={false} autoCapitalize="off" rules={{ required: frame.form.required }} />
      <RecordChoice of={fields} name="branchName" record="branch" label={strings.branch} rules={{ required: frame.form.required }} />
      <Input of={fields} name="note" label={strings.note} hint={strings.noteHint} />
      <EffectOfInput preview={effect} affected={null} />
    </FormDialog>
  );
}
