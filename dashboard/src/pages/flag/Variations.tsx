import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { isUsed, newVariation, withValue, type Draft, type Flag } from "./draft";
import { strings } from "./strings";

const text = strings.variations;

interface Props {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  disabled: boolean;
  flagType: Flag["flagType"];
}

/** The tab to edit the flag's name, variations and default. */
export function Variations({ draft, onChange, disabled, flagType }: Props) {
  const { variations } = draft;
  const options = variations.map(({ name, value }) => ({ value, label: name ? `${name} (${value})` : value }));
  if (!options.some(({ value }) => value === draft.defaultValue)) options.push({ value: draft.defaultValue, label: draft.defaultValue });
  return (
    <Panel title={text.title}>
      <div className="flex max-w-3xl flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={text.nameLabel}>
            <input className="field" value={draft.name} disabled={disabled} onChange={(event) => onChange({ name: event.target.value })} />
          </Field>
          <Field label={text.description}>
            <input className="field" value={draft.description} disabled={disabled} onChange={(event) => onChange({ description: event.target.value })} />
          </Field>
        </div>
        <ul className="flex flex-col gap-2">
          {variations.map((variation, index) => (
            <li key={variation.key} className="flex items-center gap-2">
              <input
                aria-label={text.nameOf(index + 1)}
                placeholder={text.name}
                className="field min-w-0 flex-1"
                value={variation.name}
                disabled={disabled}
                onChange={(event) => onChange({ variations: variations.map((each) => (each.key === variation.key ? { ...each, name: event.target.value } : each)) })}
              />
              <input
                aria-label={text.valueOf(index + 1)}
                placeholder={text.value}
                className="field min-w-0 flex-[2] font-mono text-xs"
                spellCheck={false}
                value={variation.value}
                disabled={disabled || (flagType === "boolean" && variation.id !== null)}
                onChange={(event) => onChange(withValue(draft, variation.key, event.target.value))}
              />
              <Button
                command
                kind="quiet"
                aria-label={text.remove(index + 1)}
                refusal={disabled ? strings.unchanged : variation.value !== "" && isUsed(draft, variation.value) ? text.used : null}
                icon={<Trash2 size={14} aria-hidden />}
                onClick={() => onChange({ variations: variations.filter(({ key }) => key !== variation.key) })}
              />
            </li>
          ))}
        </ul>
        {!disabled && flagType !== "boolean" && (
          <Button size="sm" command className="self-start" icon={<Plus size={14} aria-hidden />} onClick={() => onChange({ variations: [...variations, newVariation()] })}>
            {text.add}
          </Button>
        )}
        <p className="text-xs text-faint">{text.hint}</p>
        <Field label={text.defaultValue}>
          <Select className="w-full" value={draft.defaultValue} disabled={disabled} onChange={(defaultValue) => onChange({ defaultValue })} options={options} />
        </Field>
      </div>
    </Panel>
  );
}
