import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useChange } from "@/api/change";
import { count } from "@/format/format";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, fieldError } from "@/ui/Field";
import { TimeInput } from "@/ui/TimeInput";
import { useInZone } from "@/ui/useInZone";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

/** Sends again what failed since a time. */
export function RecoverDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const inZone = useInZone();
  const [since, setSince] = useState("");
  const recover = useChange<void, Schemas["WebhookRecovery"]>({
    run: (client, _input, key) =>
      client.POST("/v1/ota/webhooks/{id}/recover", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
        body: { since },
      }),
    done: (output) => strings.done.recovered(count(output.redelivered), count(output.remaining)),
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={strings.recover} text={strings.recoverText}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          recover.mutate();
        }}
      >
        <Field label={inZone(strings.since)} error={fieldError(recover.error, "since")}>
          <TimeInput required value={since} onChange={setSince} />
        </Field>
        {recover.error && recover.error.fields.length === 0 && <NotDone problem={recover.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={recover.isPending}>
            {strings.deliveries.redeliver}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
