import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { SecretOnce } from "@/ui/SecretOnce";
import { Select } from "@/ui/Select";
import { EventChoice } from "./EventChoice";
import { strings } from "./strings";

type Webhook = Schemas["Webhook"];
const text = strings.form;

/** Makes a webhook and shows its secret once, or changes one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [format, setFormat] = useState<Webhook["format"]>(webhook?.format ?? "standard");
  const [events, setEvents] = useState(webhook?.events ?? ["*"]);
  const [isActive, setIsActive] = useState(webhook?.isActive ?? true);
  const save = useChange<void, unknown>({
    run: (client, _input, key): Promise<{ data?: unknown }> => {
      const body = { description, format, events, isActive };
      return webhook
        ? // The address of a webhook may be shown shortened: it is sent only when it is changed.
          client.PATCH("/v1/ota/webhooks/{id}", { params: { path: { id: webhook.id } }, body: { ...body, ...(url !== webhook.url && { url }) } })
        : client.POST("/v1/ota/webhooks", { params: { header: { "Idempotency-Key": key } }, body: { ...body, url } });
    },
    onDone: () => webhook && onClose(),
  });
  const secret = webhook ? undefined : (save.data as Schemas["CreatedWebhook"] | undefined)?.secret;
  if (secret) {
    return (
      <Dialog open onClose={onClose} title={strings.add} text={text.secretFor} footer={<Button onClick={onClose}>{text.close}</Button>}>
        <SecretOnce secret={secret} />
      </Dialog>
    );
  }
  const title = webhook ? webhook.description || webhook.url : strings.add;
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={text.url} hint={text.urlHint} error={fieldError(save.error, "url")}>
          <input className="field font-mono" required spellCheck={false} autoComplete="off" value={url} onChange={(event) => setUrl(event.target.value)} />
        </Field>
        <Field label={text.description} error={fieldError(save.error, "description")}>
          <input className="field" value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
        <Field label={text.format} error={fieldError(save.error, "format")}>
          <Select
            className="w-full"
            value={format}
            onChange={(value) => setFormat(value as Webhook["format"])}
            options={Object.entries(text.formats).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <EventChoice chosen={events} onChange={setEvents} error={fieldError(save.error, "events")} />
        <Check label={text.active} checked={isActive} onChange={(event) => setIsActive(event.target.checked)} />
        {save.error && save.error.fields.length === 0 && <Failure error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {webhook ? frame.dialog.save : strings.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
