import { useController } from "react-hook-form";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Dialog } from "@/ui/Dialog";
import { SecretOnce } from "@/ui/SecretOnce";
import { EventChoice } from "./EventChoice";
import { strings } from "./strings";

type Webhook = Schemas["Webhook"];
type Draft = Pick<Webhook, "url" | "description" | "format" | "events" | "isActive">;

const text = strings.form;
const formats = Object.entries(text.formats).map(([value, label]) => ({ value, label }));

/** Makes a webhook and shows its secret once, or changes one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const save = useChange<Draft, unknown>({
    run: (client, { url, ...body }, key): Promise<{ data?: unknown }> =>
      webhook
        ? // The address of a webhook may be shown shortened: it is sent only when it is changed.
          client.PATCH("/v1/ota/webhooks/{id}", { params: { path: { id: webhook.id } }, body: { ...body, ...(url !== webhook.url && { url }) } })
        : client.POST("/v1/ota/webhooks", { params: { header: { "Idempotency-Key": key } }, body: { ...body, url } }),
    onDone: () => webhook && onClose(),
  });
  const fields = useFields<Draft>({ defaults: draftOf(webhook), submit: save.mutate, problem: save.error });
  const { field: events } = useController({ control: fields.form.control, name: "events" });
  const secret = webhook ? undefined : (save.data as Schemas["CreatedWebhook"] | undefined)?.secret;
  if (secret) {
    return (
      <Dialog open onClose={onClose} title={strings.add} text={text.secretFor} footer={<Button onClick={onClose}>{text.close}</Button>}>
        <SecretOnce secret={secret} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      fields={fields}
      title={webhook ? webhook.description || webhook.url : strings.add}
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
    </FormDialog>
  );
}

function draftOf(webhook?: Webhook): Draft {
  const { url, description, format, events, isActive } = webhook ?? { url: "", description: "", format: "standard" as const, events: ["*"], isActive: true };
  return { url, description, format, events, isActive };
}
