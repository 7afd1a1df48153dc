import { Field } from "@/ui/Field";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  error?: string | null;
  max?: number;
  disabled?: boolean;
}

/** A number that may be empty. */
export function NumberField({ label, value, onChange, hint, error, max, disabled }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      <input className="field" type="number" inputMode="decimal" min={0} max={max} step="any" value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}
