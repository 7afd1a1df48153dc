import { useState } from "react";
import { useController } from "react-hook-form";
import type { Schemas } from "@/api/client";
import { taggedKey, type Tagged } from "@/api/tagged";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { Opened } from "@/form/Opened";
import { Overtaken } from "@/form/Overtaken";
import { useRecordForm } from "@/form/useRecordForm";
import { strings as frame } from "@/strings";
import { Check } from "@/ui/Check";
import { SecretDialog } from "@/ui/SecretDialog";
import { EventChoice } from "./EventChoice";
import { strings } from "./strings";

type Webhook = Schemas["Webhook"];
type Draft = Pick<Webhook, "url" | "description" | "format" | "events" | "isActive">;

const path = "/v1/ota/webhooks/{id}";
const text = strings.form;
const formats = Object.entries(text.formats).map(([value, label]) => ({ value, label }));

/** The dialog that changes a webhook, or creates one and shows its secret once. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  if (!webhook) return <Form onClose={onClose} />;
  return (
    <Opened<Webhook> path={path} params={{ id: webhook.id }} title={nameOf(webhook)} onClose={onClose}>
      {(stored) => <Form stored={stored} onClose={onClose} />}
    </Opened>
  );
}

function Form({ stored, onClose }: { stored?: Tagged<Webhook>; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { base, fields, save, isOvertaken, load, keep } = useRecordForm<Webhook, Draft>({
    stored,
    queryKey: stored && taggedKey(path, { id: stored.record.id }),
    draftOf,
    send: (client, { url, ...body }, base, key) =>
      base
        ? client.PATCH(path, {
            params: { path: { id: base.record.id }, header: { "If-Match": base.etag } },
            // The shown address may be shortened, so it is sent only if it was changed.
            body: { ...body, ...(url !== base.record.url && { url }) },
          })
        : client.POST("/v1/ota/webhooks", { params: { header: { "Idempotency-Key": key } }, body: { ...body, url } }),
    done: stored && strings.saved,
    onSaved: ({ record }) => {
      if (stored) onClose();
      else setSecret((record as Schemas["CreatedWebhook"]).secret);
    },
  });
  const webhook = base?.record;
  const { field: events } = useController({ control: fields.form.control, name: "events" });
  if (secret) {
    return <SecretDialog title={strings.add} text={text.secretFor} secret={secret} onClose={onClose} />;
  }
  return (
    <FormDialog
      fields={fields}
      title={webhook ? nameOf(webhook) : strings.add}
      submit={webhook ? frame.dialog.save : strings.add}
      busy={save.isPending}
      onClose={onClose}
    >
      <Input
        of={fields}
        name="url"
        label={text.url}
        hint={text.urlHint}
        className="font-mono"
        spellCheck={false}
        autoComplete="off"
        rules={{ required: frame.form.required }}
      />
      <Input of={fields} name="description" label={text.description} />
      <Choice of={fields} name="format" label={text.format} options={formats} />
      <EventChoice chosen={events.value} onChange={events.onChange} error={fields.error("events")} />
      <Check label={text.active} {...fields.form.register("isActive")} />
      {webhook && isOvertaken && <Overtaken entityType="webhook" entityId={webhook.id} onLoad={load} onKeep={keep} />}
    </FormDialog>
  );
}

const nameOf = (webhook: Webhook) => webhook.description || webhook.url;

function draftOf(webhook?: Webhook): Draft {
  const { url, description, format, events, isActive } = webhook ?? { url: "", description: "", format: "standard" as const, events: ["*"], isActive: true };
  return { url, description, format, events, isActive };
}
