import type { InputHTMLAttributes } from "react";
import { fromInput, toInput } from "@/format/inputTime";
import { usePreferences } from "@/format/preferences";
import { cx } from "./cx";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "type"> {
  /** The time as RFC 3339, empty for none. */
  value: string;
  onChange: (time: string) => void;
}

/** A time, typed in the zone that the page is set to. Its label, by `useInZone`, says which one that is. */
export function TimeInput({ value, onChange, className, ...rest }: Props) {
  usePreferences();
  return <input max="9999-12-31T23:59" {...rest} type="datetime-local" className={cx("field", className)} value={toInput(value)} onChange={(event) => onChange(fromInput(event.target.value))} />;
}
