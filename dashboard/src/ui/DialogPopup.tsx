import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useHeldInput } from "@/api/heldInput";
import { strings } from "@/strings";
import { cx } from "./cx";
import { IconButton } from "./IconButton";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  /** Why Esc, a press outside and the close button do not close the dialog now, or null if they do. */
  held?: string | null;
  title: string;
  /** A sentence under the title. */
  text?: ReactNode;
  children: ReactNode;
  /** Buttons at the end. */
  footer?: ReactNode;
  wide?: boolean;
  /** Puts focus into the first field rather than on the close button. */
  startsInField?: boolean;
  /** The dialog opens on top of another dialog. */
  over?: boolean;
}

/** The lazily loaded part of Dialog. Only Dialog uses it. */
export default function DialogPopup({ open, onClose, held, title, text, children, footer, wide, over, startsInField }: DialogProps) {
  useHeldInput(open);
  const body = useRef<HTMLDivElement>(null);
  // After a touch, do not focus a field: the on-screen keyboard would cover the dialog before it is read.
  const firstField = (opener: string) => (opener !== "touch" && body.current?.querySelector<HTMLElement>("input, select, textarea, [role=combobox]")) || true;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !held && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={cx("fixed inset-0 bg-black/45", over ? "z-50" : "z-40")} />
        <Base.Popup
          initialFocus={startsInField ? firstField : undefined}
          className={cx(
            "fixed z-50 flex max-h-[92dvh] w-full flex-col overflow-hidden bg-raised shadow-pop",
            "inset-x-0 bottom-0 rounded-t-xl sm:inset-x-auto sm:top-[8vh] sm:bottom-auto sm:left-1/2 sm:max-h-[84vh] sm:-translate-x-1/2 sm:rounded-xl",
            wide ? "sm:max-w-3xl" : "sm:max-w-lg",
          )}
        >
          <header className="flex items-start gap-3 px-4 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold break-words">{title}</Base.Title>
              {text && <Base.Description className="mt-0.5 text-muted">{text}</Base.Description>}
            </div>
            <IconButton label={strings.dialog.close} refusal={held} icon={<X size={16} aria-hidden />} onClick={onClose} />
          </header>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4">{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
