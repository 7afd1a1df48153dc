import type { ReactNode } from "react";
import { useController, type FieldValues, type Path, type RegisterOptions } from "react-hook-form";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> {
  of: Fields<T>;
  name: Path<T>;
  label: string;
  hint?: ReactNode;
  options: { value: string; label: string }[];
  rules?: Pick<RegisterOptions<T, Path<T>>, "required">;
}

/** A form field to choose one of several values. */
export function Choice<T extends FieldValues>({ of, name, label, hint, options, rules }: Props<T>) {
  const { field } = useController({ control: of.form.control, name, rules });
  return (
    <Field label={label} hint={hint} error={of.error(name)} announces={false}>
      <Select className="w-full" name={name} value={field.value} onChange={field.onChange} onBlur={field.onBlur} options={options} />
    </Field>
  );
}
