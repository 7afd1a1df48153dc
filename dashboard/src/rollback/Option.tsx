import type { ReactNode } from "react";
import { cx } from "@/ui/cx";

interface Props {
  /** Groups the options of one choice. */
  name: string;
  checked: boolean;
  onChoose: () => void;
  label: string;
  /** Small print to the right of the label. */
  aside?: string;
  /** Small print under the label. */
  children?: ReactNode;
}

/** A radio button with its label and small print. */
export function Option({ name, checked, onChoose, label, aside, children }: Props) {
  return (
    <label className={cx("flex cursor-pointer items-start gap-2 rounded-md px-2 py-1.5", checked ? "bg-hover" : "hover:bg-hover")}>
      <input type="radio" name={name} checked={checked} onChange={onChoose} className="mt-1 size-4 shrink-0 accent-link" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 break-words">{label}</span>
          {aside && <span className="shrink-0 text-2xs text-faint">{aside}</span>}
        </span>
        {children && <span className="block text-xs break-words text-muted">{children}</span>}
      </span>
    </label>
  );
}
