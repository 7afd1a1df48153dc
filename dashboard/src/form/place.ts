import type { FieldProblem } from "@/api/problem";

/** A message, and the path of the form's field that it is about, such as `stages.1.percentage`. */
export interface Placed {
  path: string;
  message: string;
}

export type Rename = (field: string) => string;

/**
 * Finds the fields that the API's messages are about: a form is built as the request's body is, and `rename` turns paths
 * that differ into the form's. A field may hold more than one of the request's, such as lines of text or several choices;
 * messages about a list of records or about what the form does not have are left over.
 */
export function place(values: object, problems: FieldProblem[], rename: Rename = (field) => field): { placed: Placed[]; left: FieldProblem[] } {
  const placed: Placed[] = [];
  const left: FieldProblem[] = [];
  for (const problem of problems) {
    const path = pathOf(values, rename(problem.field.replace(/^body\.?/, "")));
    if (path) placed.push({ path, message: problem.message });
    else left.push(problem);
  }
  return { placed, left };
}

function pathOf(values: object, field: string): string | null {
  const steps = field.split(/[.[\]]+/).filter(Boolean);
  let value: unknown = values;
  for (const [index, step] of steps.entries()) {
    if (isField(value)) return steps.slice(0, index).join(".");
    value = (value as Record<string, unknown>)[step];
    if (value === undefined) return null;
  }
  return steps.length > 0 && isField(value) ? steps.join(".") : null;
}

/** Whether one control edits the value: a single one, or a list of them. */
function isField(value: unknown): boolean {
  const isSingle = (each: unknown) => typeof each !== "object" || each === null;
  return Array.isArray(value) ? value.every(isSingle) : isSingle(value);
}
