import { lazy, Suspense, useState } from "react";
import type { DialogProps } from "./DialogPopup";
import { loadCode } from "./loadCode";

/** Loads the dialog's code, which pages do not need to be shown. Preloading lets a dialog open even when the server is unavailable. */
export const loadDialog = () => loadCode(() => import("./DialogPopup"));

const Popup = lazy(loadDialog);

/** A dialog over the page. On a phone it fills the bottom of the screen. Esc and a press outside close it, unless it is `held`. */
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
