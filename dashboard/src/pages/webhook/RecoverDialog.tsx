import type { Schemas } from "@/api/client";
import { useChange } from "@/api/change";
import { FormDialog } from "@/form/FormDialog";
import { TimeField } from "@/form/TimeField";
import { useFields } from "@/form/useFields";
import { count } from "@/format/format";
import { strings as frame } from "@/strings";
import { strings } from "./strings";

interface Draft {
  since: string;
}

/** The dialog that redelivers messages that failed since a given time. */
export function RecoverDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const recover = useChange<Draft, Schemas["WebhookRecovery"]>({
    run: (client, body, key) => client.POST("/v1/ota/webhooks/{id}/recover", { params: { path: { id }, header: { "Idempotency-Key": key } }, body }),
    done: (output) => strings.done.recovered(count(output.redelivered), count(output.remaining)),
    onDone: onClose,
  });
  const fields = useFields<Draft>({ defaults: { since: "" }, submit: recover.mutate, problem: recover.error });
  return (
    <FormDialog fields={fields} title={strings.recover} text={strings.recoverText} submit={strings.deliveries.redeliver} busy={recover.isPending} onClose={onClose}>
      <TimeField of={fields} name="since" label={strings.since} rules={{ required: frame.form.required }} />
    </FormDialog>
  );
}
