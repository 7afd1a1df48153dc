import { useEffect, useRef, type FormEvent } from "react";
import { get, useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from "react-hook-form";
import { Problem } from "@/api/problem";
import { place, type Rename } from "./place";

export interface Fields<T extends FieldValues> {
  form: UseFormReturn<T>;
  /** Whether something is changed. */
  isDirty: boolean;
  /** What is wrong with a field; null when nothing is. */
  error: (name: Path<T>) => string | null;
  /** Why sending failed, as far as no field says it. */
  left: Problem | null;
  /** For the form element. */
  props: { ref: React.RefObject<HTMLFormElement | null>; onSubmit: (event: FormEvent) => void; noValidate: true };
}

interface Options<T extends FieldValues> {
  defaults: T;
  /** Sends the values, when the fields' own rules permit them. */
  submit: (values: T) => void;
  /** What the API answered. Its messages about fields show there. */
  problem: Problem | null;
  /** The path in the form of a path in the request; the same unless given. */
  rename?: Rename;
}

/** A form built as the request's body is. After a refusal, by the form's rules or by the API, the first bad field is focused. */
export function useFields<T extends FieldValues>({ defaults, submit, problem, rename }: Options<T>): Fields<T> {
  const form = useForm<T>({ defaultValues: defaults as DefaultValues<T>, shouldFocusError: false });
  const element = useRef<HTMLFormElement>(null);
  const { errors, isDirty } = form.formState;
  const { setError, getValues } = form;
  const focusFirst = () => {
    // After the fields are marked.
    setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  useEffect(() => {
    if (!problem) return;
    for (const { path, message } of place(getValues(), problem.fields, rename).placed) setError(path as Path<T>, { type: "api", message });
    focusFirst();
    // `rename` does not change what it is about; it is no reason to show the problem again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [problem, setError, getValues]);
  return {
    form,
    isDirty,
    error: (name) => (get(errors, name) as { message?: string } | undefined)?.message ?? null,
    left: problem && leftOf(problem, getValues(), rename),
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        // Messages of the API about the values before.
        form.clearErrors();
        void form.handleSubmit((values) => submit(values), focusFirst)(event);
      },
    },
  };
}

function leftOf(problem: Problem, values: object, rename?: Rename): Problem | null {
  const { placed, left } = place(values, problem.fields, rename);
  if (placed.length > 0 && left.length === 0) return null;
  return new Problem({ ...problem, detail: problem.message, fields: left });
}
