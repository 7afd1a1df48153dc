import { lazy, Suspense, useState, type ReactNode } from "react";
import { loadCode } from "./loadCode";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Under the title: what it is about. */
  text?: ReactNode;
  children: ReactNode;
  /** Buttons at the end. */
  footer?: ReactNode;
  wide?: boolean;
  /** The keyboard begins in the first field, and not at the button that closes. */
  startsInField?: boolean;
  /** Over another dialog, which it covers. */
  over?: boolean;
}

/** Loads the dialog's code: pages show without it, and an action that cannot be carried out says so in a dialog. */
export const loadDialog = () => loadCode(() => import("./DialogPopup"));

const Popup = lazy(loadDialog);

/** A dialog over the page; on a phone it fills the lower edge. Esc and a press outside close it. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  );
}
