import type { Problem } from "@/api/problem";
import { Check } from "@/ui/Check";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import type { Draft } from "./draft";
import { strings } from "./strings";

export interface PartProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  problem: Problem | null;
  /** A viewer reads only. */
  disabled: boolean;
}

const text = strings.basics;

/** The policy's name and where it is for. */
export function Basics({ draft, onChange, problem, disabled, channels }: PartProps & { channels: string[] }) {
  const names = draft.channel && !channels.includes(draft.channel) ? [...channels, draft.channel] : channels;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={text.name} error={fieldError(problem, "name")}>
        <input className="field" required value={draft.name} disabled={disabled} onChange={(event) => onChange({ name: event.target.value })} />
      </Field>
      <Field label={text.channel} error={fieldError(problem, "channel")}>
        <Select
          className="w-full"
          value={draft.channel}
          disabled={disabled}
          onChange={(channel) => onChange({ channel })}
          options={[{ value: "", label: text.anyChannel }, ...names.map((name) => ({ value: name, label: name }))]}
        />
      </Field>
      <Field label={text.description} error={fieldError(problem, "description")}>
        <input className="field" value={draft.description} disabled={disabled} onChange={(event) => onChange({ description: event.target.value })} />
      </Field>
      <div className="flex items-end pb-1.5">
        <Check label={text.active} checked={draft.isActive} disabled={disabled} onChange={(event) => onChange({ isActive: event.target.checked })} />
      </div>
    </div>
  );
}
