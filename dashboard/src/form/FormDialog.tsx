import { useState, type ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { DiscardDialog } from "./DiscardDialog";
import { LeaveGuard } from "./LeaveGuard";
import { Rejection } from "./Rejection";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> {
  fields: Fields<T>;
  title: string;
  text?: ReactNode;
  /** Label of the submit button: the verb of the action. */
  submit: string;
  /** Why the form cannot be sent, or null if it can. */
  refusal?: string | null;
  /** True while a request runs. The dialog stays open until it ends. */
  busy: boolean;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A form in a dialog. Closing it with unsaved input asks for confirmation. Cancel does not ask, because its label is clear. */
export function FormDialog<T extends FieldValues>({ fields, title, text, submit, refusal, busy, onClose, wide, children }: Props<T>) {
  const [asks, setAsks] = useState(false);
  const isUnsaved = fields.isDirty && !busy;
  const held = busy ? strings.dialog.busy : null;
  return (
    <Dialog open startsInField held={held} wide={wide} onClose={() => (isUnsaved ? setAsks(true) : onClose())} title={title} text={text}>
      <form {...fields.props} className="flex flex-col gap-4">
        {children}
        <Rejection problem={fields.left} />
        <div className="flex justify-end gap-2">
          <Button refusal={held} onClick={onClose}>
            {strings.dialog.cancel}
          </Button>
          <Button kind="primary" type="submit" refusal={refusal} busy={busy}>
            {submit}
          </Button>
        </div>
      </form>
      <LeaveGuard when={isUnsaved} />
      {asks && <DiscardDialog onStay={() => setAsks(false)} onDiscard={onClose} />}
    </Dialog>
  );
}
