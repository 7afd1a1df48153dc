import { useState } from "react";
import type { Schemas } from "@/api/client";
import type { Tagged } from "@/api/tagged";
import { Opened } from "@/form/Opened";
import { Overtaken } from "@/form/Overtaken";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { useSettled } from "@/ui/useSettled";
import { strings } from "./strings";

type Release = Schemas["Update"];

const { actions: text } = strings;
const path = "/v1/ota/updates/{id}";

/** The dialog that changes the rollout percentage, unless someone else has changed the release since the dialog was opened. */
export function ShareDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Opened<Release> path={path} params={{ id }} title={text.share} onClose={onClose}>
      {(stored, refetch) => <Form stored={stored} refetch={refetch} onClose={onClose} />}
    </Opened>
  );
}

function Form({ stored, refetch, onClose }: { stored: Tagged<Release>; refetch: () => Promise<unknown>; onClose: () => void }) {
  const [base, setBase] = useState(stored);
  const [share, setShare] = useState(shareOf(base));
  const settled = useSettled(share);
  const { id } = base.record;
  const load = () => {
    setBase(stored);
    setShare(shareOf(stored));
  };
  return (
    <DangerDialog
      onClose={onClose}
      title={text.share}
      text={text.shareText}
      done={text.done.change}
      overtaken={base.etag === stored.etag ? null : <Overtaken entityType="update" entityId={id} onLoad={load} onKeep={() => setBase(stored)} />}
      refetch={refetch}
      refusal={isPercentage(share) ? null : text.shareInvalid}
      previewKey={[id, settled]}
      preview={isPercentage(settled) ? (client, signal) => client.POST("/v1/ota/updates/{id}/preview", { params: { path: { id } }, body: { rolloutPercentage: Number(settled) }, signal }) : null}
      reason="optional"
      run={(client, reason) =>
        client.PATCH(path, {
          params: { path: { id }, header: { "If-Match": base.etag } },
          body: { rolloutPercentage: Number(share), ...(reason && { reason }) },
        })
      }
    >
      <Field label={text.shareLabel}>
        <input className="field" type="number" min={0} max={100} step="any" required value={share} onChange={(event) => setShare(event.target.value)} />
      </Field>
    </DangerDialog>
  );
}

const isPercentage = (typed: string) => typed.trim() !== "" && Number(typed) >= 0 && Number(typed) <= 100;

const shareOf = ({ record }: Tagged<Release>) => String(record.rolloutPercentage);
