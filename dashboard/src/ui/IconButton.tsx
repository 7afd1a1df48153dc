import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The action, for screen readers and the tooltip. */
  label: string;
  icon: ReactNode;
  /** Why the button cannot be pressed, or null if it can. */
  refusal?: string | null;
}

export function IconButton({ label, icon, refusal, className, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={refusal ?? label}
      {...rest}
      aria-disabled={Boolean(refusal) || rest["aria-disabled"] || undefined}
      onClick={refusal ? undefined : onClick}
      className={cx("grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-40 sm:size-7", className)}
    >
      {icon}
    </button>
  );
}
