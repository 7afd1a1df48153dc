import { cloneElement, lazy, Suspense, useLayoutEffect, useMemo, useRef, useState, type ReactElement } from "react";
import { usePaletteCommands } from "@/app/shortcuts";
import { loadCode } from "./loadCode";
import type { MenuProps } from "./MenuPopup";

const load = () => loadCode(() => import("./MenuPopup"));

// This code is loaded when the first menu opens.
const Popup = lazy(load);

/** A button that opens a menu. */
export function Menu({ trigger, items, onOpen }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  useCommands(items);
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

/** Offers the items with a command in the palette, while they can be chosen. */
function useCommands(items: MenuProps["items"]) {
  const current = useRef(items);
  useLayoutEffect(() => {
    current.current = items;
  });
  const offered = JSON.stringify(items.flatMap(({ command, refusal }) => (command && !refusal ? [command] : [])));
  const commands = useMemo(
    () =>
      (JSON.parse(offered) as string[]).map((label) => ({
        id: label,
        label,
        run: () => current.current.find(({ command }) => command === label)?.onSelect(),
      })),
    [offered],
  );
  usePaletteCommands(commands);
}
