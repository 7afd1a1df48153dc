import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { networksOf } from "./networks";
import { strings } from "./strings";

/** The settings of the project that are about privacy and rollouts. */
export function SettingsForm({ settings }: { settings: Schemas["ProjectSettings"] }) {
  const refusal = useRefusal("admin");
  const [hashIds, setHashIds] = useState(settings.hashIds);
  const [networks, setNetworks] = useState(settings.trustedNetworks.join("\n"));
  const isChanged = hashIds !== settings.hashIds || networksOf(networks).join() !== settings.trustedNetworks.join();
  const save = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> => client.PATCH("/v1/ota/settings", { body: { hashIds, trustedNetworks: networksOf(networks) } }),
    done: strings.saved,
  });
  const fieldProblem = save.error?.fields.find((each) => each.field.includes("trustedNetworks"))?.message ?? null;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div>
        <Check label={strings.hashIds} checked={hashIds} disabled={refusal !== null} onChange={(event) => setHashIds(event.target.checked)} />
        <p className="pl-6 text-xs text-faint">{strings.hashHint}</p>
      </div>
      <Field label={strings.networks} hint={strings.networksHint} error={fieldProblem}>
        <textarea className="field h-24 py-1.5 font-mono" spellCheck={false} value={networks} disabled={refusal !== null} onChange={(event) => setNetworks(event.target.value)} />
      </Field>
      {save.error && !fieldProblem && <Failure error={save.error} />}
      <Button kind="primary" type="submit" className="self-start" refusal={refusal ?? (isChanged ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
    </form>
  );
}
