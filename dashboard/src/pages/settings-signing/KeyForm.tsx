import { useChange } from "@/api/change";
import { Input } from "@/form/Input";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Rejection } from "@/form/Rejection";
import { TextArea } from "@/form/TextArea";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { strings } from "./strings";

interface Draft {
  keyId: string;
  certificatePem: string;
  privateKeyPem: string;
}

/** The form that sets the key and replaces the previous key. */
export function KeyForm({ refusal }: { refusal: string | null }) {
  const save = useChange<Draft, unknown>({
    run: (client, body): Promise<{ data?: unknown }> => client.PUT("/v1/ota/code-signing", { body }),
    done: strings.saved,
    onDone: (_output, draft) => fields.form.reset({ ...draft, privateKeyPem: "" }),
  });
  const fields = useFields<Draft>({ defaults: { keyId: "main", certificatePem: "", privateKeyPem: "" }, submit: save.mutate, problem: save.error });
  const required = { required: frame.form.required };
  return (
    <form {...fields.props} className="flex flex-col gap-4">
      <Input of={fields} name="keyId" label={strings.keyId} hint={strings.keyIdHint} rules={required} />
      <TextArea of={fields} name="certificatePem" label={strings.certificate} className="h-28 text-xs" rules={required} />
      <TextArea of={fields} name="privateKeyPem" label={strings.privateKey} hint={strings.privateKeyHint} className="h-28 text-xs" autoComplete="off" rules={required} />
      <Rejection problem={fields.left} />
      <Button kind="primary" type="submit" className="self-start" command={strings.saveCommand} refusal={refusal} busy={save.isPending}>
        {strings.save}
      </Button>
      <LeaveGuard when={fields.isDirty && !save.isPending} />
    </form>
  );
}
