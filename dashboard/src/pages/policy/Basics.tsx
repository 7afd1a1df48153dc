import { Input } from "@/form/Input";
import { RecordChoice } from "@/form/RecordChoice";
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
export function Basics({ fields }: PartProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Input of={fields} name="name" label={text.name} rules={{ validate: (value) => String(value).trim() !== "" || frame.form.required }} />
      <RecordChoice of={fields} name="channel" record="channel" label={text.channel} none={text.anyChannel} />
      <Input of={fields} name="description" label={text.description} />
      <div className="flex items-end pb-1.5">
        <Check label={text.active} {...fields.form.register("isActive")} />
      </div>
    </div>
  );
}
