import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode } from "react";
import { loadCode } from "./loadCode";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Why it cannot be chosen. */
  refusal?: string | null;
  danger?: boolean;
}

export interface MenuProps {
  /** One button. */
  trigger: ReactElement;
  items: MenuItem[];
  /** The menu opens. */
  onOpen?: () => void;
}

const load = () => loadCode(() => import("./MenuPopup"));

// Loaded when the first menu opens: pages show without it.
const Popup = lazy(load);

/** A menu behind a button. */
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
