import { Plus, Trash2 } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import type { PartProps } from "./Basics";
import { shareProblem } from "./draft";
import { NumberInput } from "./NumberInput";
import { strings } from "./strings";

const text = strings.stages;

/** The stages, a row each. */
export function StageRows({ fields: form, disabled }: PartProps & { disabled: boolean }) {
  const stages = useFieldArray({ control: form.form.control, name: "stages" });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-faint">{text.hint}</p>
      {stages.fields.map((stage, index) => (
        <fieldset key={stage.id} className="flex items-start gap-2">
          <legend className="sr-only">{text.stage(index + 1)}</legend>
          <span aria-hidden className="w-5 pt-6 text-right text-muted tabular-nums">
            {index + 1}
          </span>
          <div className="grid min-w-0 flex-1 grid-cols-3 gap-2">
            <NumberInput of={form} name={`stages.${index}.percentage`} label={text.share} check={() => shareProblem(form.form.getValues("stages"), index)} />
            <NumberInput of={form} name={`stages.${index}.minDurationMinutes`} label={text.minutes} />
            <NumberInput of={form} name={`stages.${index}.minDevices`} label={text.devices} />
          </div>
          {!disabled && (
            <IconButton className="mt-5" label={text.remove(index + 1)} icon={<Trash2 size={14} aria-hidden />} onClick={() => stages.remove(index)} />
          )}
        </fieldset>
      ))}
      {!disabled && (
        <Button
          className="self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => stages.append({ percentage: "", minDurationMinutes: "", minDevices: "" })}
        >
          {text.add}
        </Button>
      )}
    </div>
  );
}
