import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import type { PartProps } from "./Basics";
import type { Draft } from "./draft";
import { NumberField } from "./NumberField";
import { strings } from "./strings";

const text = strings.limits;

/** What may not be exceeded, and what happens when it is. */
export function LimitFields({ draft, onChange, problem, disabled }: PartProps) {
  const choice = <Name extends "action" | "rollbackScope" | "method" | "baseline">(name: Name, label: string, options: Record<Draft[Name], string>) => (
    <Field label={label} error={fieldError(problem, `thresholds.${name}`)}>
      <Select
        className="w-full"
        value={draft[name]}
        disabled={disabled}
        onChange={(value) => onChange({ [name]: value } as Partial<Draft>)}
        options={Object.entries<string>(options).map(([value, label]) => ({ value, label }))}
      />
    </Field>
  );
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <NumberField
        label={text.crash}
        hint={text.none}
        value={draft.crashRate}
        max={100}
        disabled={disabled}
        error={fieldError(problem, "thresholds.crashRate")}
        onChange={(crashRate) => onChange({ crashRate })}
      />
      <NumberField
        label={text.error}
        hint={text.none}
        value={draft.errorRate}
        max={100}
        disabled={disabled}
        error={fieldError(problem, "thresholds.errorRate")}
        onChange={(errorRate) => onChange({ errorRate })}
      />
      {choice("action", text.action, text.actions)}
      {choice("rollbackScope", text.scope, text.scopes)}
      {choice("method", text.method, text.methods)}
      {choice("baseline", text.baseline, text.baselines)}
      <NumberField
        label={text.networks}
        value={draft.minNetworks}
        disabled={disabled}
        error={fieldError(problem, "thresholds.minNetworks")}
        onChange={(minNetworks) => onChange({ minNetworks })}
      />
    </div>
  );
}
