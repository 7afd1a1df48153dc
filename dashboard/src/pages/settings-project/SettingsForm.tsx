import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Rejection } from "@/form/Rejection";
import { TextArea } from "@/form/TextArea";
import { useFields } from "@/form/useFields";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { networksOf } from "./networks";
import { strings } from "./strings";

interface Draft {
  hashIds: boolean;
  trustedNetworks: string;
}

/** The settings of the project that are about privacy and rollouts. */
export function SettingsForm({ settings }: { settings: Schemas["ProjectSettings"] }) {
  const refusal = useRefusal("admin");
  const save = useChange<Draft, unknown>({
    run: (client, { hashIds, trustedNetworks }): Promise<{ data?: unknown }> =>
      client.PATCH("/v1/ota/settings", { body: { hashIds, trustedNetworks: networksOf(trustedNetworks) } }),
    done: strings.saved,
    onDone: (_output, draft) => fields.form.reset(draft),
  });
  const fields = useFields<Draft>({
    defaults: { hashIds: settings.hashIds, trustedNetworks: settings.trustedNetworks.join("\n") },
    submit: save.mutate,
    problem: save.error,
  });
  return (
    <form {...fields.props}>
      <fieldset disabled={refusal !== null} className="flex flex-col gap-4">
        <div>
          <Check label={strings.hashIds} {...fields.form.register("hashIds")} />
          <p className="pl-6 text-xs text-faint">{strings.hashHint}</p>
        </div>
        <TextArea of={fields} name="trustedNetworks" label={strings.networks} hint={strings.networksHint} className="h-24" />
      </fieldset>
      <Rejection problem={fields.left} />
      <Button kind="primary" type="submit" className="mt-4" refusal={refusal ?? (fields.isDirty ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
      <LeaveGuard when={fields.isDirty && !save.isPending} />
    </form>
  );
}
