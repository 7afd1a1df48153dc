import { useState } from "react";
import type { Schemas } from "@/api/client";
import { Check } from "@/ui/Check";
import { Combobox } from "@/ui/Combobox";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

const { actions: text } = strings;

/** The dialog that creates new releases with the same files on the chosen channels. */
export function RepublishDialog({ release, onClose }: { release: Schemas["Update"]; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>(release.channel ? [release.channel] : []);
  const [message, setMessage] = useState(release.releaseMessage);
  // The notes do not change the effect, so they are not previewed while they are typed.
  const body = { channels: chosen };
  return (
    <DangerDialog
      onClose={onClose}
      title={text.republish}
      text={text.republishText}
      done={text.done.republish}
      refusal={chosen.length === 0 ? text.noChannelChosen : null}
      previewKey={[release.id, chosen]}
      preview={chosen.length === 0 ? null : (client, signal) => client.POST("/v1/ota/updates/{id}/republish/preview", { params: { path: { id: release.id } }, body, signal })}
      run={(client, _reason, key) =>
        client.POST("/v1/ota/updates/{id}/republish", {
          params: { path: { id: release.id }, header: { "Idempotency-Key": key } },
          body: { ...body, releaseMessage: message },
        })
      }
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="text-xs font-medium">{text.channels}</legend>
        {chosen.map((name) => (
          <Check key={name} label={name} checked onChange={() => setChosen(chosen.filter((each) => each !== name))} />
        ))}
      </fieldset>
      <Field label={text.addChannel}>
        <Combobox className="w-full" of="channel" except={chosen} value="" onChange={(name) => setChosen([...chosen, name])} />
      </Field>
      <Field label={text.message}>
        <input className="field" value={message} maxLength={1000} onChange={(event) => setMessage(event.target.value)} />
      </Field>
    </DangerDialog>
  );
}
