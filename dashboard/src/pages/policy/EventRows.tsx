import { Plus } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { Choice } from "@/form/Choice";
import { Input } from "@/form/Input";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import type { PartProps } from "./Basics";
import { eventRateProblem, mostEvents } from "./draft";
import { EditorRow } from "./EditorRow";
import { NumberInput } from "./NumberInput";
import { strings } from "./strings";

const text = strings.events;
const directions = Object.entries(text.directions).map(([value, label]) => ({ value, label }));

/** Fields for the thresholds of custom events, one row per event. */
export function EventRows({ fields: form, disabled }: PartProps & { disabled: boolean }) {
  const events = useFieldArray({ control: form.form.control, name: "thresholds.events" });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-faint">{text.hint}</p>
      {events.fields.map((event, index) => (
        <EditorRow key={event.id} name={text.event(index + 1)} number={index + 1} remove={disabled ? null : text.remove(index + 1)} onRemove={() => events.remove(index)}>
          <div className="grid items-start gap-2 sm:grid-cols-[2fr_2fr_1fr]">
            <Input
              of={form}
              name={`thresholds.events.${index}.name`}
              label={text.name}
              spellCheck={false}
              autoCapitalize="off"
              rules={{ required: frame.form.required }}
            />
            <Choice of={form} name={`thresholds.events.${index}.direction`} label={text.direction} options={directions} />
            <NumberInput
              of={form}
              name={`thresholds.events.${index}.rate`}
              label={text.rate}
              check={() => eventRateProblem(form.form.getValues(`thresholds.events.${index}`))}
            />
          </div>
        </EditorRow>
      ))}
      {!disabled && (
        <Button
          className="self-start"
          command
          icon={<Plus size={14} aria-hidden />}
          refusal={events.fields.length >= mostEvents ? text.most(mostEvents) : null}
          onClick={() => events.append({ name: "", direction: "below", rate: "" })}
        >
          {text.add}
        </Button>
      )}
    </div>
  );
}
