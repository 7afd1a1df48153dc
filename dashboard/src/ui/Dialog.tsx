import { lazy, Suspense, useState, type ReactNode } from "react";

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
  /** Over another dialog, which it covers. */
  over?: boolean;
}

// Loaded when the first dialog opens: pages show without it.
const Popup = lazy(() => import("./DialogPopup"));

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
