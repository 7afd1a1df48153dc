import type { InputHTMLAttributes } from "react";
import { fromInput, toInput } from "@/format/inputTime";
import { usePreferences } from "@/format/preferences";
import { cx } from "./cx";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "type"> {
  /** The time as RFC 3339, empty for none. */
  value: string;
  onChange: (time: string) => void;
}

/** An input for a time in the page's zone. Use `useInZone` for its label, which then names the zone. */
export function TimeInput({ value, onChange, className, ...rest }: Props) {
  usePreferences();
  return <input max="9999-12-31T23:59" {...rest} type="datetime-local" className={cx("field", className)} value={toInput(value)} onChange={(event) => onChange(fromInput(event.target.value))} />;
}
