import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx";
import { toast } from "./toast";

interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Why the item cannot be chosen. */
  refusal?: string | null;
  danger?: boolean;
  /** The label of a command in the palette that chooses the item. */
  command?: string;
}

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  items: MenuItem[];
  /** Called when the menu opens. */
  onOpen?: () => void;
}

/** The lazily loaded part of Menu, initially open. Only Menu uses it. */
export default function MenuPopup({ trigger, items, onOpen }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen onOpenChange={(open) => open && onOpen?.()}>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="max-h-(--available-height) max-w-[min(20rem,calc(100vw-1rem))] min-w-44 overflow-y-auto rounded-lg bg-raised p-1 shadow-pop outline-none">
            {items.map((item, index) => (
              <Base.Item
                key={index}
                aria-disabled={item.refusal ? true : undefined}
                title={item.refusal ?? undefined}
                onClick={() => (item.refusal ? toast({ title: item.refusal }) : item.onSelect())}
                className={cx(
                  "flex min-h-8 items-center gap-2 rounded-md px-2 -outline-offset-2 data-highlighted:bg-hover",
                  item.danger && "text-bad",
                  item.refusal && "text-faint",
                )}
              >
                {item.icon}
                <span className="min-w-0 break-words">{item.label}</span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
