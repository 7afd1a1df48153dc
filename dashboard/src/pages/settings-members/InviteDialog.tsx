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

type Role = Schemas["CreateInvitationBody"]["role"];
const roles: Role[] = ["viewer", "editor", "admin"];

/** Invites a person and shows the link once: Waft sends no mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const invite = useChange<void, Schemas["CreatedInvitation"]>({
    run: (client, _input, key) => client.POST("/v1/ota/invitations", { params: { header: { "Idempotency-Key": key } }, body: { email, role } }),
  });
  if (invite.data) {
    return (
      <Dialog open onClose={onClose} title={strings.invite} text={strings.linkFor(invite.data.email)} footer={<Button onClick={onClose}>{strings.close}</Button>}>
        <SecretOnce secret={invite.data.url} />
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={strings.invite}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Field label={strings.email} error={fieldError(invite.error, "email")}>
          <input className="field" type="email" required value={email} autoComplete="off" onChange={(event) => setEmail(event.target.value)} />
        </Field>
        <Field label={strings.role} error={fieldError(invite.error, "role")}>
          <Select className="w-full" value={role} onChange={(value) => setRole(value as Role)} options={roles.map((each) => ({ value: each, label: strings.roles[each] }))} />
        </Field>
        {invite.error && invite.error.fields.length === 0 && <Failure error={invite.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            {strings.invite}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
