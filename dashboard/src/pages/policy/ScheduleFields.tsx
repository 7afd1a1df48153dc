import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Field, fieldError } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { Select } from "@/ui/Select";
import type { PartProps } from "./Basics";
import { days, type Draft } from "./draft";
import { strings } from "./strings";

const text = strings.schedule;
type Window = Draft["freezeWindows"][number];

const zones = Intl.supportedValuesOf("timeZone");

/** When the first stage begins, and when none does. */
export function ScheduleFields({ draft, onChange, problem, disabled }: PartProps) {
  const set = (index: number, change: Partial<Window>) =>
    onChange({ freezeWindows: draft.freezeWindows.map((window, each) => (each === index ? { ...window, ...change } : window)) });
  const names = ["UTC", ...zones].includes(draft.timeZone) ? zones : [draft.timeZone, ...zones];
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={text.startAt} error={fieldError(problem, "startAt")}>
          <input className="field" type="datetime-local" value={draft.startAt} disabled={disabled} onChange={(event) => onChange({ startAt: event.target.value })} />
        </Field>
        <Field label={text.zone} error={fieldError(problem, "timeZone")}>
          <Select
            className="w-full"
            value={draft.timeZone}
            disabled={disabled}
            onChange={(timeZone) => onChange({ timeZone })}
            options={[...new Set(["UTC", ...names])].map((zone) => ({ value: zone, label: zone }))}
          />
        </Field>
      </div>
      <p className="text-xs text-faint">{text.hint}</p>
      {draft.freezeWindows.map((window, index) => (
        <fieldset key={index} className="flex flex-wrap items-end gap-3 rounded-md border p-2">
          <legend className="sr-only">{text.windows}</legend>
          <Field label={text.from} error={fieldError(problem, `freezeWindows[${index}].from`)}>
            <input className="field w-auto" type="time" value={window.from} disabled={disabled} onChange={(event) => set(index, { from: event.target.value })} />
          </Field>
          <Field label={text.to} error={fieldError(problem, `freezeWindows[${index}].to`)}>
            <input className="field w-auto" type="time" value={window.to} disabled={disabled} onChange={(event) => set(index, { to: event.target.value })} />
          </Field>
          <div className="flex flex-wrap gap-x-3" role="group" aria-label={text.days}>
            {days.map((day) => (
              <Check
                key={day}
                label={text.dayNames[day]}
                disabled={disabled}
                checked={window.days.length === 0 || window.days.includes(day)}
                onChange={() => set(index, { days: toggled(window.days, day) })}
              />
            ))}
          </div>
          {!disabled && (
            <IconButton
              label={text.remove(index + 1)}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={() => onChange({ freezeWindows: draft.freezeWindows.filter((_, each) => each !== index) })}
            />
          )}
        </fieldset>
      ))}
      {!disabled && (
        <Button
          className="self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange({ freezeWindows: [...draft.freezeWindows, { days: [], from: "18:00", to: "08:00" }] })}
        >
          {text.add}
        </Button>
      )}
    </div>
  );
}

/** No day means every day. */
function toggled(chosen: Window["days"], day: Window["days"][number]): Window["days"] {
  const all = chosen.length === 0 ? days : chosen;
  const next = all.includes(day) ? all.filter((each) => each !== day) : days.filter((each) => all.includes(each) || each === day);
  return next.length === days.length ? [] : next;
}
