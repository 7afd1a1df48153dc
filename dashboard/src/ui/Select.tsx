import type { SelectHTMLAttributes } from "react";
import { cx } from "./cx";

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> {
  /** For a select without a Field around it. */
  label?: string;
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string }[];
}

/** The browser's native select, which works best on phones and with screen readers. */
export function Select({ label, value, onChange, options, className, ...rest }: Props) {
  return (
    <select aria-label={label} {...rest} value={value} onChange={(event) => onChange(event.target.value)} className={cx("field w-auto max-w-full pr-7 text-ellipsis", !className && "sm:max-w-56", className)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
