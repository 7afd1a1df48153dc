import { Plus } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { Button } from "@/ui/Button";
import type { PartProps } from "./Basics";
import { shareProblem } from "./draft";
import { EditorRow } from "./EditorRow";
import { NumberInput } from "./NumberInput";
import { strings } from "./strings";

const text = strings.stages;

/** Fields for the stages, one row per stage. */
export function StageRows({ fields: form, disabled }: PartProps & { disabled: boolean }) {
  const stages = useFieldArray({ control: form.form.control, name: "stages" });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-faint">{text.hint}</p>
      {stages.fields.map((stage, index) => (
        <EditorRow key={stage.id} name={text.stage(index + 1)} number={index + 1} remove={disabled ? null : text.remove(index + 1)} onRemove={() => stages.remove(index)}>
          <div className="grid grid-cols-2 items-start gap-2 sm:grid-cols-3">
            <div className="max-sm:col-span-2">
              <NumberInput of={form} name={`stages.${index}.percentage`} label={text.share} check={() => shareProblem(form.form.getValues("stages"), index)} />
            </div>
            <NumberInput of={form} name={`stages.${index}.minDurationMinutes`} label={text.minutes} />
            <NumberInput of={form} name={`stages.${index}.minDevices`} label={text.devices} />
          </div>
        </EditorRow>
      ))}
      {!disabled && (
        <Button
          className="self-start"
          command
          icon={<Plus size={14} aria-hidden />}
          onClick={() => stages.append({ percentage: "", minDurationMinutes: "", minDevices: "" })}
        >
          {text.add}
        </Button>
      )}
    </div>
  );
}
