import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { taggedKey, type Tagged } from "@/api/tagged";
import { Input } from "@/form/Input";
import { LeaveGuard } from "@/form/LeaveGuard";
import { Overtaken } from "@/form/Overtaken";
import { Rejection } from "@/form/Rejection";
import { TextArea } from "@/form/TextArea";
import { useRecordForm } from "@/form/useRecordForm";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { networksOf } from "./networks";
import { strings } from "./strings";

type Settings = Schemas["ProjectSettings"];

interface Draft {
  repositoryUrl: string;
  hashIds: boolean;
  trustedNetworks: string;
}

/** The form for the project's privacy and rollout settings. */
export function SettingsForm({ stored }: { stored: Tagged<Settings> }) {
  const refusal = useRefusal("admin");
  const { fields, save, isOvertaken, load, keep } = useRecordForm<Settings, Draft>({
    stored,
    queryKey: taggedKey("/v1/ota/settings"),
    draftOf,
    send: (client, { repositoryUrl, hashIds, trustedNetworks }, base) =>
      client.PATCH("/v1/ota/settings", {
        params: { header: { "If-Match": base?.etag } },
        body: { repositoryUrl: repositoryUrl.trim() || null, hashIds, trustedNetworks: networksOf(trustedNetworks) },
      }),
    done: strings.saved,
  });
  return (
    <form {...fields.props}>
      <fieldset disabled={refusal !== null} className="flex flex-col gap-4">
        <Input of={fields} name="repositoryUrl" label={strings.repository} hint={strings.repositoryHint} type="url" placeholder="https://github.com/acme/app" />
        <div>
          <Check label={strings.hashIds} {...fields.form.register("hashIds")} />
          <p className="pl-6 text-xs text-faint">{strings.hashHint}</p>
        </div>
        <TextArea of={fields} name="trustedNetworks" label={strings.networks} hint={strings.networksHint} className="h-24" />
      </fieldset>
      {isOvertaken && <Overtaken entityType="project" onLoad={load} onKeep={keep} />}
      <Rejection problem={fields.left} />
      <Button kind="primary" type="submit" className="mt-4" command={strings.saveCommand} refusal={refusal ?? (fields.isDirty ? null : strings.unchanged)} busy={save.isPending}>
        {strings.save}
      </Button>
      <LeaveGuard when={fields.isDirty && !save.isPending} />
    </form>
  );
}

function draftOf(settings?: Settings): Draft {
  return { repositoryUrl: settings?.repositoryUrl ?? "", hashIds: settings?.hashIds ?? false, trustedNetworks: settings?.trustedNetworks.join("\n") ?? "" };
}
