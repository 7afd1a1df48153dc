import { useWatch } from "react-hook-form";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { TimeField } from "@/form/TimeField";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { SecretDialog } from "@/ui/SecretDialog";
import { strings } from "./strings";

interface Draft {
  name: string;
  role: Schemas["CreateAPIKeyBody"]["role"];
  expiresAt: string;
}

const roles = (["editor", "viewer", "admin", "client"] as const).map((each) => ({ value: each, label: strings.roles[each] }));

/** The dialog that creates a key and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const add = useChange<Draft, Schemas["CreatedAPIKey"]>({
    run: (client, { expiresAt, ...body }, key) =>
      client.POST("/v1/ota/api-keys", {
        params: { header: { "Idempotency-Key": key } },
        body: { ...body, ...(expiresAt && { expiresAt }) },
      }),
  });
  const fields = useFields<Draft>({ defaults: { name: "", role: "editor", expiresAt: "" }, submit: add.mutate, problem: add.error });
  const role = useWatch({ control: fields.form.control, name: "role" });
  if (add.data) {
    return <SecretDialog title={add.data.name} secret={add.data.key} onClose={onClose} />;
  }
  return (
    <FormDialog fields={fields} title={strings.add} submit={strings.add} busy={add.isPending} onClose={onClose}>
      <Input of={fields} name="name" label={strings.name} hint={strings.nameHint} maxLength={100} autoComplete="off" rules={{ required: frame.form.required }} />
      <Choice of={fields} name="role" label={strings.role} hint={strings.roleHints[role]} options={roles} />
      <TimeField of={fields} name="expiresAt" label={strings.expiresAt} hint={strings.expiresHint} />
    </FormDialog>
  );
}
