import { cloneElement, isValidElement, useId, type ReactElement, type ReactNode } from "react";
import type { Problem } from "@/api/problem";
import { Coded } from "./Coded";

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** False if the form moves focus to the field. Screen readers then read the error as its description. */
  announces?: boolean;
  /** A single input, select or textarea. Field sets its ID, description and validity. */
  children: ReactElement<Record<string, unknown>>;
}

/** A labelled field with its hint and its error. Style the control with the class `field`. */
export function Field({ label, hint, error, announces = true, children }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = isValidElement(children)
    ? cloneElement(children, { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined })
    : children;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {control}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-faint">
          {typeof hint === "string" ? <Coded text={hint} /> : hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role={announces ? "alert" : undefined} className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the API's message about a field by the field's path in the request: `fieldError(error, "email")`. */
export function fieldError(problem: Problem | null | undefined, path: string): string | null {
  return problem?.fields.find((each) => each.field === path || each.field === `body.${path}`)?.message ?? null;
}
