import { Plus } from "lucide-react";
import { useController, useFieldArray, useWatch } from "react-hook-form";
import { Choice } from "@/form/Choice";
import { Input } from "@/form/Input";
import { TimeField } from "@/form/TimeField";
import type { Fields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import type { PartProps } from "./Basics";
import { days, type Draft } from "./draft";
import { EditorRow } from "./EditorRow";
import { strings } from "./strings";

const text = strings.schedule;
type Days = Draft["freezeWindows"][number]["days"];

const zones = Intl.supportedValuesOf("timeZone");

/** Fields for the start of the first stage and for freeze windows. */
export function ScheduleFields({ fields: form, disabled }: PartProps & { disabled: boolean }) {
  const windows = useFieldArray({ control: form.form.control, name: "freezeWindows" });
  const zone = useWatch({ control: form.form.control, name: "timeZone" });
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TimeField of={form} name="startAt" label={text.startAt} />
        <Choice of={form} name="timeZone" label={text.zone} options={[...new Set(["UTC", zone, ...zones])].map((name) => ({ value: name, label: name }))} />
      </div>
      <p className="text-xs text-faint">{text.hint}</p>
      {windows.fields.map((window, index) => (
        <EditorRow key={window.id} name={text.window(index + 1)} number={index + 1} remove={disabled ? null : text.remove(index + 1)} onRemove={() => windows.remove(index)}>
          <div className="flex flex-wrap items-end gap-3">
            <Input of={form} name={`freezeWindows.${index}.from`} label={text.from} type="time" className="w-auto" rules={{ required: frame.form.required }} />
            <Input of={form} name={`freezeWindows.${index}.to`} label={text.to} type="time" className="w-auto" rules={{ required: frame.form.required }} />
            <DayChoice of={form} index={index} />
          </div>
        </EditorRow>
      ))}
      {!disabled && (
        <Button className="self-start" command icon={<Plus size={14} aria-hidden />} onClick={() => windows.append({ days: [], from: "18:00", to: "08:00" })}>
          {text.add}
        </Button>
      )}
    </div>
  );
}

function DayChoice({ of, index }: { of: Fields<Draft>; index: number }) {
  const { field } = useController({ control: of.form.control, name: `freezeWindows.${index}.days` });
  return (
    <div className="flex flex-wrap gap-x-3" role="group" aria-label={text.days}>
      {days.map((day) => (
        <Check
          key={day}
          label={text.dayNames[day]}
          checked={field.value.length === 0 || field.value.includes(day)}
          onChange={() => field.onChange(toggled(field.value, day))}
        />
      ))}
    </div>
  );
}

/** Returns the chosen days with a day added or removed. An empty list means every day. */
function toggled(chosen: Days, day: Days[number]): Days {
  const all = chosen.length === 0 ? days : chosen;
  const next = all.includes(day) ? all.filter((each) => each !== day) : days.filter((each) => all.includes(each) || each === day);
  return next.length === days.length ? [] : next;
}
