import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Input } from "@/form/Input";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Rejection } from "@/form/Rejection";
import { useFields } from "@/form/useFields";
import { Button } from "@/ui/Button";
import { strings } from "./strings";

interface Draft {
  buildRetentionDays: string;
  telemetryRetentionDays: string;
}

const daysOf = (text: string) => (text ? Number(text) : null);

/** How many days builds and telemetry stay. */
export function RetentionForm({ settings }: { settings: Schemas["ProjectSettings"] }) {
  const refusal = useRefusal("admin");
  const save = useChange<Draft, unknown>({
    run: (client, draft): Promise<{ data?: unknown }> =>
      client.PATCH("/v1/ota/settings", {
        body: { buildRetentionDays: daysOf(draft.buildRetentionDays), telemetryRetentionDays: daysOf(draft.telemetryRetentionDays) },
      }),
    done: strings.saved,
    onDone: (_output, draft) => fields.form.reset(draft),
  });
  const fields = useFields<Draft>({
    defaults: {
      buildRetentionDays: String(settings.buildRetentionDays ?? ""),
      telemetryRetentionDays: String(settings.telemetryRetentionDays ?? ""),
    },
    submit: save.mutate,
    problem: save.error,
  });
  return (
    <form {...fields.props} className="flex flex-col gap-4">
      <fieldset disabled={refusal !== null} className="grid gap-3 sm:grid-cols-2">
        <Input of={fields} name="buildRetentionDays" type="number" label={strings.builds} hint={strings.buildsHint} />
        <Input of={fields} name="telemetryRetentionDays" type="number" label={strings.telemetry} hint={strings.telemetryHint} />
      </fieldset>
      <Rejection problem={fields.left} />
      <Button kind="primary" type="submit" className="self-start" refusal={refusal ?? (fields.isDirty ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
      <LeaveGuard when={fields.isDirty && !save.isPending} />
    </form>
  );
}
