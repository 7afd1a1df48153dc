import { useState, type ReactNode } from "react";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  value: string;
  onChange: (value: string) => void;
  autoComplete: "current-password" | "new-password";
  /** Defaults to true. */
  required?: boolean;
}

export function PasswordField({ label, hint, error, value, onChange, autoComplete, required = true }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-1">
      <Field label={label} hint={hint} error={error}>
        <input
          className="field"
          type={shown ? "text" : "password"}
          autoComplete={autoComplete}
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <button type="button" aria-pressed={shown} className="min-h-6 self-start text-xs text-muted underline underline-offset-2 hover:text-ink" onClick={() => setShown(!shown)}>
        {shown ? strings.hide : strings.show}
      </button>
    </div>
  );
}
