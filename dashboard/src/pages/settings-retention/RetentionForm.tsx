import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { taggedKey, type Tagged } from "@/api/tagged";
import { Input } from "@/form/Input";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Overtaken } from "@/form/Overtaken";
import { Rejection } from "@/form/Rejection";
import { useRecordForm } from "@/form/useRecordForm";
import { Button } from "@/ui/Button";
import { strings } from "./strings";

type Settings = Schemas["ProjectSettings"];

interface Draft {
  buildRetentionDays: string;
  telemetryRetentionDays: string;
}

const daysOf = (text: string) => (text ? Number(text) : null);

/** The form for how many days builds and telemetry are kept. */
export function RetentionForm({ stored }: { stored: Tagged<Settings> }) {
  const refusal = useRefusal("admin");
  const { fields, save, isOvertaken, load, keep } = useRecordForm<Settings, Draft>({
    stored,
    queryKey: taggedKey("/v1/ota/settings"),
    draftOf,
    send: (client, draft, base) =>
      client.PATCH("/v1/ota/settings", {
        params: { header: { "If-Match": base?.etag } },
        body: { buildRetentionDays: daysOf(draft.buildRetentionDays), telemetryRetentionDays: daysOf(draft.telemetryRetentionDays) },
      }),
    done: strings.saved,
  });
  return (
    <form {...fields.props} className="flex flex-col gap-4">
      <fieldset disabled={refusal !== null} className="grid gap-3 sm:grid-cols-2">
        <Input of={fields} name="buildRetentionDays" type="number" label={strings.builds} hint={strings.buildsHint} />
        <Input of={fields} name="telemetryRetentionDays" type="number" label={strings.telemetry} hint={strings.telemetryHint} />
      </fieldset>
      {isOvertaken && <Overtaken entityType="project" onLoad={load} onKeep={keep} />}
      <Rejection problem={fields.left} />
      <Button kind="primary" type="submit" className="self-start" command={strings.saveCommand} refusal={refusal ?? (fields.isDirty ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
      <LeaveGuard when={fields.isDirty && !save.isPending} />
    </form>
  );
}

function draftOf(settings?: Settings): Draft {
  return {
    buildRetentionDays: String(settings?.buildRetentionDays ?? ""),
    telemetryRetentionDays: String(settings?.telemetryRetentionDays ?? ""),
  };
}
