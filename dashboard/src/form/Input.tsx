import type { InputHTMLAttributes, ReactNode } from "react";
import type { FieldValues, Path, RegisterOptions } from "react-hook-form";
import { Field } from "@/ui/Field";
import { cx } from "@/ui/cx";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> extends Omit<InputHTMLAttributes<HTMLInputElement>, "form" | "name" | "required" | "min" | "max" | "pattern"> {
  of: Fields<T>;
  name: Path<T>;
  label: string;
  hint?: ReactNode;
  rules?: RegisterOptions<T, Path<T>>;
}

/** An input in a form: one line of text, unless `type` is set. */
export function Input<T extends FieldValues>({ of, name, label, hint, rules, className, ...rest }: Props<T>) {
  return (
    <Field label={label} hint={hint} error={of.error(name)} announces={false}>
      <input {...rest} {...of.form.register(name, rules)} className={cx("field", className)} />
    </Field>
  );
}
