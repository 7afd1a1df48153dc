import type { ReactNode } from "react";
import { useController, type FieldValues, type Path, type RegisterOptions } from "react-hook-form";
import type { Choosable } from "@/api/choices";
import { Combobox } from "@/ui/Combobox";
import { Field } from "@/ui/Field";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> {
  of: Fields<T>;
  name: Path<T>;
  /** The kind of the records to choose from: see Combobox. */
  record: keyof Choosable;
  label: string;
  hint?: ReactNode;
  /** Label of the choice "". Without it, a record must be chosen. */
  none?: string;
  rules?: Pick<RegisterOptions<T, Path<T>>, "required">;
}

/** A form field to choose one record of a list of any length. */
export function RecordChoice<T extends FieldValues>({ of, name, record, label, hint, none, rules }: Props<T>) {
  const { field } = useController({ control: of.form.control, name, rules });
  return (
    <Field label={label} hint={hint} error={of.error(name)}>
      <Combobox className="w-full" of={record} name={name} none={none} value={field.value as string} onChange={field.onChange} onBlur={field.onBlur} />
    </Field>
  );
}
