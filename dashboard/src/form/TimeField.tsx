import type { ReactNode } from "react";
import { useController, type FieldValues, type Path } from "react-hook-form";
import { Field } from "@/ui/Field";
import { TimeInput } from "@/ui/TimeInput";
import { useInZone } from "@/ui/useInZone";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> {
  of: Fields<T>;
  name: Path<T>;
  label: string;
  hint?: ReactNode;
}

/** A time in a form, as RFC 3339, or empty. It is typed in the zone that the page is set to, which the label names. */
export function TimeField<T extends FieldValues>({ of, name, label, hint }: Props<T>) {
  const { field } = useController({ control: of.form.control, name });
  const inZone = useInZone();
  return (
    <Field label={inZone(label)} hint={hint} error={of.error(name)}>
      <TimeInput name={name} value={field.value as string} onChange={field.onChange} onBlur={field.onBlur} />
    </Field>
  );
}
