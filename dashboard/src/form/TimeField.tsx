import type { ReactNode } from "react";
import { useController, type FieldValues, type Path, type RegisterOptions } from "react-hook-form";
import { Field } from "@/ui/Field";
import { TimeInput } from "@/ui/TimeInput";
import { useInZone } from "@/ui/useInZone";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> {
  of: Fields<T>;
  name: Path<T>;
  label: string;
  hint?: ReactNode;
  rules?: Pick<RegisterOptions<T, Path<T>>, "required">;
}

/** A form field for a time. Its value is RFC 3339 or empty. You enter the time in the page's zone, which the label names. */
export function TimeField<T extends FieldValues>({ of, name, label, hint, rules }: Props<T>) {
  const { field } = useController({ control: of.form.control, name, rules });
  const inZone = useInZone();
  return (
    <Field label={inZone(label)} hint={hint} error={of.error(name)} announces={false}>
      <TimeInput name={name} value={field.value as string} onChange={field.onChange} onBlur={field.onBlur} />
    </Field>
  );
}
