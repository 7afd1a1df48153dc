import type { InputHTMLAttributes, ReactNode } from "react";

/** A checkbox with its label on the right. */
export function Check({ label, ...rest }: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-6 items-start gap-2 text-sm">
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-link" />
      <span>{label}</span>
    </label>
  );
}
