import { useState } from "react";
import { useChange } from "@/api/change";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { strings } from "./strings";

/** Sets the key in place of the one before. */
export function KeyForm({ refusal }: { refusal: string | null }) {
  const [keyId, setKeyId] = useState("main");
  const [certificatePem, setCertificate] = useState("");
  const [privateKeyPem, setPrivateKey] = useState("");
  const save = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> => client.PUT("/v1/ota/code-signing", { body: { keyId, certificatePem, privateKeyPem } }),
    done: strings.saved,
    onDone: () => setPrivateKey(""),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Field label={strings.keyId} hint={strings.keyIdHint} error={fieldError(save.error, "keyId")}>
        <input className="field" required value={keyId} onChange={(event) => setKeyId(event.target.value)} />
      </Field>
      <Field label={strings.certificate} error={fieldError(save.error, "certificatePem")}>
        <textarea className="field h-28 py-1.5 font-mono text-xs" required spellCheck={false} value={certificatePem} onChange={(event) => setCertificate(event.target.value)} />
      </Field>
      <Field label={strings.privateKey} hint={strings.privateKeyHint} error={fieldError(save.error, "privateKeyPem")}>
        <textarea className="field h-28 py-1.5 font-mono text-xs" required spellCheck={false} autoComplete="off" value={privateKeyPem} onChange={(event) => setPrivateKey(event.target.value)} />
      </Field>
      {save.error && save.error.fields.length === 0 && <Failure error={save.error} />}
      <Button kind="primary" type="submit" className="self-start" refusal={refusal} busy={save.isPending}>
        {strings.save}
      </Button>
    </form>
  );
}
