import type { ReactNode, TextareaHTMLAttributes } from "react";
import type { FieldValues, Path, RegisterOptions } from "react-hook-form";
import { Field } from "@/ui/Field";
import { cx } from "@/ui/cx";
import type { Fields } from "./useFields";

interface Props<T extends FieldValues> extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "form" | "name" | "required"> {
  of: Fields<T>;
  name: Path<T>;
  label: string;
  hint?: ReactNode;
  rules?: RegisterOptions<T, Path<T>>;
}

/** A multi-line text field in a form. */
export function TextArea<T extends FieldValues>({ of, name, label, hint, rules, className, ...rest }: Props<T>) {
  return (
    <Field label={label} hint={hint} error={of.error(name)} announces={false}>
      <textarea spellCheck={false} {...rest} {...of.form.register(name, rules)} className={cx("field py-1.5 font-mono", className)} />
    </Field>
  );
}
