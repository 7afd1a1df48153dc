import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { TextArea } from "@/form/TextArea";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { changePublishers } from "./changePublishers";
import { parseChannels, parseClaims } from "./claims";
import { strings } from "./strings";

type Publisher = Schemas["TrustedPublisher"];

interface Draft {
  issuer: string;
  audience: string;
  claims: string;
  role: Publisher["role"];
  channels: string;
}

const defaults: Draft = {
  issuer: "https://token.actions.githubusercontent.com",
  audience: location.origin,
  claims: "repository = \nref = refs/heads/main",
  role: "editor",
  channels: "",
};
const roles = (["editor", "viewer"] as const).map((each) => ({ value: each, label: strings.roles[each] }));

/** The dialog that adds a trusted publisher. The API replaces the whole list. */
export function NewPublisher({ onClose }: { onClose: () => void }) {
  const add = useChange<Draft, unknown>({
    run: (client, { claims, channels, ...draft }): Promise<{ data?: unknown }> =>
      changePublishers(client, (publishers) => [...publishers, { ...draft, claims: parseClaims(claims), channels: parseChannels(channels) }]),
    done: strings.done.added,
    onDone: onClose,
  });
  const fields = useFields<Draft>({ defaults, submit: add.mutate, problem: add.error, rename: (field) => field.replace(/^\[\d+\]\./, "") });
  const required = { required: frame.form.required };
  return (
    <FormDialog fields={fields} title={strings.add} submit={frame.dialog.save} busy={add.isPending} onClose={onClose}>
      <Input of={fields} name="issuer" label={strings.issuer} hint={strings.issuerHint} inputMode="url" rules={required} />
      <Input of={fields} name="audience" label={strings.audience} hint={strings.audienceHint} rules={required} />
      <TextArea of={fields} name="claims" label={strings.claims} hint={strings.claimsHint} className="h-24" rules={required} />
      <Choice of={fields} name="role" label={strings.role} options={roles} />
      <Input of={fields} name="channels" label={strings.channels} hint={strings.channelsHint} />
    </FormDialog>
  );
}
