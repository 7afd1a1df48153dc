import type { SelectHTMLAttributes } from "react";
import { cx } from "./cx";

interface Props<Value extends string> extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> {
  /** For a select without a Field around it. */
  label?: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: string }[];
}

/** The browser's native select, which works best on phones and with screen readers. */
export function Select<const Value extends string>({ label, value, onChange, options, className, ...rest }: Props<Value>) {
  return (
    <select aria-label={label} {...rest} value={value} onChange={(event) => onChange(event.target.value as Value)} className={cx("field w-auto max-w-full pr-7 text-ellipsis", !className && "sm:max-w-56", className)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Returns an option for each value with its text. */
export function optionsOf<Value extends string>(texts: Record<Value, string>): { value: Value; label: string }[] {
  return Object.entries<string>(texts).map(([value, label]) => ({ value: value as Value, label }));
}
