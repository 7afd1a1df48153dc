import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SecretDialog } from "@/ui/SecretDialog";
import { strings } from "./strings";

type Body = Schemas["CreateInvitationBody"];

const roles = (["viewer", "editor", "admin"] as const).map((each) => ({ value: each, label: strings.roles[each] }));

/** The dialog that invites a person. Without a mail server, Waft shows the link once, and you pass it on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useChange<Body, Schemas["CreatedInvitation"]>({
    run: (client, body, key) => client.POST("/v1/ota/invitations", { params: { header: { "Idempotency-Key": key } }, body }),
  });
  const fields = useFields<Body>({ defaults: { email: "", role: "editor" }, submit: invite.mutate, problem: invite.error });
  if (invite.data) {
    const { url, email } = invite.data;
    if (url) return <SecretDialog title={strings.invite} text={strings.linkFor(email)} secret={url} onClose={onClose} />;
    return (
      <Dialog open onClose={onClose} title={strings.invite} text={strings.mailedTo(email)} footer={<Button onClick={onClose}>{strings.close}</Button>}>
        {null}
      </Dialog>
    );
  }
  return (
    <FormDialog fields={fields} title={strings.invite} submit={strings.invite} busy={invite.isPending} onClose={onClose}>
      <Input of={fields} name="email" label={strings.email} type="email" autoComplete="off" rules={{ required: frame.form.required }} />
      <Choice of={fields} name="role" label={strings.role} options={roles} />
    </FormDialog>
  );
}
