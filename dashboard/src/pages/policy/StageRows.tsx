import { Plus, Trash2 } from "lucide-react";
import { fieldError } from "@/ui/Field";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import type { PartProps } from "./Basics";
import type { Draft } from "./draft";
import { NumberField } from "./NumberField";
import { strings } from "./strings";

const text = strings.stages;

/** The stages, a row each. */
export function StageRows({ draft, onChange, problem, disabled }: PartProps) {
  const set = (index: number, change: Partial<Draft["stages"][number]>) =>
    onChange({ stages: draft.stages.map((stage, each) => (each === index ? { ...stage, ...change } : stage)) });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-faint">{text.hint}</p>
      {draft.stages.map((stage, index) => (
        <fieldset key={index} className="flex items-start gap-2">
          <legend className="sr-only">{text.stage(index + 1)}</legend>
          <span aria-hidden className="w-5 pt-6 text-right text-muted tabular-nums">
            {index + 1}
          </span>
          <div className="grid min-w-0 flex-1 grid-cols-3 gap-2">
            <NumberField
              label={text.share}
              value={stage.percentage}
              max={100}
              disabled={disabled}
              error={fieldError(problem, `stages[${index}].percentage`)}
              onChange={(percentage) => set(index, { percentage })}
            />
            <NumberField
              label={text.minutes}
              value={stage.minDurationMinutes}
              disabled={disabled}
              error={fieldError(problem, `stages[${index}].minDurationMinutes`)}
              onChange={(minDurationMinutes) => set(index, { minDurationMinutes })}
            />
            <NumberField
              label={text.devices}
              value={stage.minDevices}
              disabled={disabled}
              error={fieldError(problem, `stages[${index}].minDevices`)}
              onChange={(minDevices) => set(index, { minDevices })}
            />
          </div>
          {!disabled && (
            <IconButton
              className="mt-5"
              label={text.remove(index + 1)}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={() => onChange({ stages: draft.stages.filter((_, each) => each !== index) })}
            />
          )}
        </fieldset>
      ))}
      {!disabled && (
        <Button
          className="self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange({ stages: [...draft.stages, { percentage: "", minDurationMinutes: "", minDevices: "" }] })}
        >
          {text.add}
        </Button>
      )}
    </div>
  );
}
