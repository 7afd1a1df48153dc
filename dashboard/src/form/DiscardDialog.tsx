import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

/** Asks whether to discard unsaved changes. */
export function DiscardDialog({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  return (
    <Dialog
      open
      onClose={onStay}
      title={strings.form.discardTitle}
      text={strings.form.discardText}
      footer={
        <>
          <Button onClick={onStay}>{strings.form.stay}</Button>
          <Button kind="danger" onClick={onDiscard}>
            {strings.form.discard}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
