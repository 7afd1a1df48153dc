import { useWatch } from "react-hook-form";
import { Choice } from "@/form/Choice";
import { Input } from "@/form/Input";
import type { Fields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Check } from "@/ui/Check";
import type { Draft } from "./draft";
import { strings } from "./strings";

export interface PartProps {
  fields: Fields<Draft>;
}

const text = strings.basics;

/** Fields for the policy's name and channel. */
export function Basics({ fields, channels }: PartProps & { channels: string[] }) {
  const channel = useWatch({ control: fields.form.control, name: "channel" });
  const names = channel && !channels.includes(channel) ? [...channels, channel] : channels;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Input of={fields} name="name" label={text.name} rules={{ validate: (value) => String(value).trim() !== "" || frame.form.required }} />
      <Choice of={fields} name="channel" label={text.channel} options={[{ value: "", label: text.anyChannel }, ...names.map((name) => ({ value: name, label: name }))]} />
      <Input of={fields} name="description" label={text.description} />
      <div className="flex items-end pb-1.5">
        <Check label={text.active} {...fields.form.register("isActive")} />
      </div>
    </div>
  );
}
