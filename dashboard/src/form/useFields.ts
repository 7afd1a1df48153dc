import { useEffect, useRef, type FormEvent } from "react";
import { get, useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from "react-hook-form";
import { Problem } from "@/api/problem";
import { place, type Rename } from "./place";

export interface Fields<T extends FieldValues> {
  form: UseFormReturn<T>;
  /** True if a value has changed. */
  isDirty: boolean;
  /** Returns the error of a field, or null. */
  error: (name: Path<T>) => string | null;
  /** The part of the problem that the fields do not show. */
  left: Problem | null;
  /** Props for the form element. */
  props: { ref: React.RefObject<HTMLFormElement | null>; onSubmit: (event: FormEvent) => void; noValidate: true };
}

interface Options<T extends FieldValues> {
  defaults: T;
  /** Sends the values. Called only if they are valid by the fields' own rules. */
  submit: (values: T) => void;
  /** The API's error. Its messages about fields are shown at the fields. */
  problem: Problem | null;
  /** Maps a path in the request to the path in the form. By default both are the same. */
  rename?: Rename;
}

/** Manages a form with the structure of the request's body. If the form's rules or the API refuse it, focuses the first invalid field. */
export function useFields<T extends FieldValues>({ defaults, submit, problem, rename }: Options<T>): Fields<T> {
  const form = useForm<T>({ defaultValues: defaults as DefaultValues<T>, shouldFocusError: false });
  const element = useRef<HTMLFormElement>(null);
  const { errors, isDirty } = form.formState;
  const { setError, getValues } = form;
  const wantsFocus = useRef(false);
  const focusFirst = () => {
    wantsFocus.current = true;
  };
  // Runs after every render, because only a later render marks the invalid fields.
  useEffect(() => {
    const invalid = wantsFocus.current && element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!invalid) return;
    wantsFocus.current = false;
    invalid.focus();
  });
  useEffect(() => {
    if (!problem) return;
    const { placed } = place(getValues(), problem.fields, rename);
    for (const { path, message } of placed) setError(path as Path<T>, { type: "api", message });
    if (placed.length > 0) focusFirst();
    // A new `rename` function maps the same paths, so it must not show the problem again.
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
        wantsFocus.current = false;
        // The API's messages are about the previous values.
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
