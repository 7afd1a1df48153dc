import { lazy, Suspense, useState } from "react";
import type { DialogProps } from "./DialogPopup";
import { loadCode } from "./loadCode";

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
