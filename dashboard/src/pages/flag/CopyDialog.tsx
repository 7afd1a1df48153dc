import { useState } from "react";
import { Combobox } from "@/ui/Combobox";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

const text = strings.channels;

/** Asks to which channel the settings of a channel are copied. */
export default function CopyDialog({ flagId, from, onClose }: { flagId: number; from: string; onClose: () => void }) {
  const [to, setTo] = useState("");
  const body = { fromChannel: from, toChannel: to };
  return (
    <DangerDialog
      onClose={onClose}
      title={text.copyFrom(from)}
      text={text.copyText}
      confirm={text.confirmCopy}
      done={text.copied}
      previewKey={[to]}
      preview={to === "" ? null : (client, signal) => client.POST("/v1/ota/flags/{id}/copy/preview", { params: { path: { id: flagId } }, body, signal })}
      refusal={to === "" ? text.noTarget : null}
      run={(client, _reason, key) =>
        client.POST("/v1/ota/flags/{id}/copy", { params: { path: { id: flagId }, header: { "Idempotency-Key": key } }, body })
      }
    >
      <Field label={text.to}>
        <Combobox className="w-full" of="channel" except={[from]} value={to} onChange={setTo} />
      </Field>
    </DangerDialog>
  );
}
