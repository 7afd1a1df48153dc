import { cloneElement, lazy, Suspense, useState, type ReactElement } from "react";
import { loadCode } from "./loadCode";
import type { MenuProps } from "./MenuPopup";

const load = () => loadCode(() => import("./MenuPopup"));

// This code is loaded when the first menu opens.
const Popup = lazy(load);

/** A button that opens a menu. */
export function Menu({ trigger, items, onOpen }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const button = cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => {
      setWanted(true);
      onOpen?.();
    },
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
  });
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <Popup trigger={trigger} items={items} onOpen={onOpen} />
    </Suspense>
  );
}
