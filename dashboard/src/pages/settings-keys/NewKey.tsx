import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { SecretOnce } from "@/ui/SecretOnce";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

type Role = Schemas["CreateAPIKeyBody"]["role"];
const roles: Role[] = ["editor", "viewer", "admin", "client"];

/** Makes a key and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const [expiresAt, setExpiresAt] = useState("");
  const add = useChange<void, Schemas["CreatedAPIKey"]>({
    run: (client, _input, key) =>
      client.POST("/v1/ota/api-keys", {
        params: { header: { "Idempotency-Key": key } },
        body: { name, role, ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }) },
      }),
  });
  if (add.data) {
    return (
      <Dialog open onClose={onClose} title={add.data.name} footer={<Button onClick={onClose}>{strings.close}</Button>}>
        <SecretOnce secret={add.data.key} />
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={strings.add}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label={strings.name} hint={strings.nameHint} error={fieldError(add.error, "name")}>
          <input className="field" required maxLength={100} value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={strings.role} hint={strings.roleHints[role]} error={fieldError(add.error, "role")}>
          <Select className="w-full" value={role} onChange={(value) => setRole(value as Role)} options={roles.map((each) => ({ value: each, label: strings.roles[each] }))} />
        </Field>
        <Field label={strings.expiresAt} hint={strings.expiresHint} error={fieldError(add.error, "expiresAt")}>
          <input className="field" type="datetime-local" value={expiresAt} onChange={(event) => setExpiresAt(event.target.value)} />
        </Field>
        {add.error && add.error.fields.length === 0 && <Failure error={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {strings.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
