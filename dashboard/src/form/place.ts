import type { FieldProblem } from "@/api/problem";

/** A message with the path of its form field, such as `stages.1.percentage`. */
export interface Placed {
  path: string;
  message: string;
}

export type Rename = (field: string) => string;

/**
 * Assigns the API's messages to form fields. A form has the structure of the request's body, and `rename` maps the paths that
 * differ. A form field may cover several values of the request, such as lines of text or several choices. Messages about a
 * list of records, or without a field in the form, are returned in `left`.
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

/** Reports whether one control edits the value: a single value, or a list of single values. */
function isField(value: unknown): boolean {
  const isSingle = (each: unknown) => typeof each !== "object" || each === null;
  return Array.isArray(value) ? value.every(isSingle) : isSingle(value);
}
