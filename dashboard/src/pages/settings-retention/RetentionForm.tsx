import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { strings } from "./strings";

const names = ["buildRetentionDays", "telemetryRetentionDays"] as const;
const texts = {
  buildRetentionDays: { label: strings.builds, hint: strings.buildsHint, max: 3650 },
  telemetryRetentionDays: { label: strings.telemetry, hint: strings.telemetryHint, max: 365 },
};

/** How many days builds and telemetry stay. */
export function RetentionForm({ settings }: { settings: Schemas["ProjectSettings"] }) {
  const refusal = useRefusal("admin");
  const [days, setDays] = useState(() => ({
    buildRetentionDays: String(settings.buildRetentionDays ?? ""),
    telemetryRetentionDays: String(settings.telemetryRetentionDays ?? ""),
  }));
  const body = {
    buildRetentionDays: days.buildRetentionDays ? Number(days.buildRetentionDays) : null,
    telemetryRetentionDays: days.telemetryRetentionDays ? Number(days.telemetryRetentionDays) : null,
  };
  const isChanged = names.some((name) => body[name] !== settings[name]);
  const save = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> => client.PATCH("/v1/ota/settings", { body }),
    done: strings.saved,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {names.map((name) => (
          <Field key={name} label={texts[name].label} hint={texts[name].hint} error={fieldError(save.error, name)}>
            <input
              className="field"
              type="number"
              min={1}
              max={texts[name].max}
              disabled={refusal !== null}
              value={days[name]}
              onChange={(event) => setDays({ ...days, [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      {save.error && save.error.fields.length === 0 && <Failure error={save.error} />}
      <Button kind="primary" type="submit" className="self-start" refusal={refusal ?? (isChanged ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
    </form>
  );
}
