import type { Schemas } from "@/api/client";
import { strings } from "./strings";

export type Condition = Schemas["RuleCondition"];
export type Operator = Condition["operator"];
export type ValueType = keyof typeof strings.types;

/** The form values of a condition. All values are entered as strings and have one type. */
export interface ConditionDraft {
  attribute: string;
  operator: Operator;
  type: ValueType;
  values: string[];
}

export const operators = Object.keys(strings.operators) as Operator[];

/** Reports whether the operator compares with values. */
export const takesValues = (operator: Operator) => operator !== "exists" && operator !== "not_exists";

/** Returns the types that the operator's values may have, the default first. */
export function typesOf(operator: Operator): ValueType[] {
  switch (operator) {
    case "eq":
    case "neq":
    case "in":
    case "not_in":
      return ["text", "number", "boolean", "json"];
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return ["number", "text"];
    default:
      return ["text"];
  }
}

/** Returns a hint about the format of the operator's values, if they are not plain strings. */
export function hintOf({ operator, type }: Pick<ConditionDraft, "operator" | "type">): string | undefined {
  if (operator === "before" || operator === "after") return strings.hints.time;
  if (operator.startsWith("semver_")) return strings.hints.version;
  if (operator === "matches") return strings.hints.pattern;
  if (type === "json") return strings.hints.json;
  return type === "number" ? strings.hints.number : undefined;
}

export const emptyCondition = (): ConditionDraft => ({ attribute: "", operator: "eq", type: "text", values: [""] });

/** Returns the form values of a stored condition. Values of different types become JSON strings. */
export function conditionDraft(condition: { attribute: string; operator: Operator; values?: unknown[] | null }): ConditionDraft {
  const values = condition.values ?? [];
  const { attribute, operator } = condition;
  const all = (type: string) => values.every((value) => typeof value === type);
  if (values.length === 0) return { attribute, operator, type: typesOf(operator)[0]!, values: [""] };
  if (all("string")) return { attribute, operator, type: "text", values: values as string[] };
  if (all("number")) return { attribute, operator, type: "number", values: values.map(String) };
  if (all("boolean")) return { attribute, operator, type: "boolean", values: values.map(String) };
  return { attribute, operator, type: "json", values: values.map((value) => JSON.stringify(value)) };
}

/** Returns the condition with another operator. The entered values stay. */
export function withOperator(draft: ConditionDraft, operator: Operator): ConditionDraft {
  const types = typesOf(operator);
  return { ...draft, operator, type: types.includes(draft.type) ? draft.type : types[0]! };
}

const decimal = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

type Value = NonNullable<Condition["values"]>[number];

/** Returns the value of an entered string, or undefined if the string is not of the type. */
export function valueOf(type: ValueType, text: string): Value | undefined {
  switch (type) {
    case "text":
      return text;
    case "number":
      return decimal.test(text.trim()) ? Number(text) : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "json":
      return scalarOf(text);
  }
}

function scalarOf(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether the condition is complete: it has an attribute, and each of its values is of the type. */
export function isCompleteCondition(draft: ConditionDraft): boolean {
  if (!draft.attribute.trim()) return false;
  if (!takesValues(draft.operator)) return true;
  return draft.values.length > 0 && draft.values.every((text) => text !== "" && valueOf(draft.type, text) !== undefined);
}

/** Returns the condition as a rule stores it. */
export function conditionOf(draft: ConditionDraft): Condition {
  const { operator } = draft;
  const attribute = draft.attribute.trim();
  if (!takesValues(operator)) return { attribute, operator };
  return { attribute, operator, values: draft.values.map((text) => valueOf(draft.type, text) ?? text) };
}

/**
 * Formats a value for a sentence. A string has quotation marks unless it is a plain word; the string “5” must not look like the
 * number 5. Numbers and booleans are JSON.
 */
export function quoted(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[A-Za-z][\w-]*$/.test(value) && value !== "true" && value !== "false" ? value : `“${value}”`;
}

/** Returns the condition in words: country is one of DE or AT. */
export function conditionSentence(condition: { attribute: string; operator: Operator; values?: unknown[] | null; problem?: string }): string {
  const { attribute, operator, values, problem } = condition;
  if (!takesValues(operator)) return `${attribute} ${strings.operators[operator]}`;
  // These operators compare strings as numbers or versions.
  const shown = /^([gl]te?|semver_.*)$/.test(operator) ? String : quoted;
  const sentence = `${attribute} ${comparison(operator, (values ?? []).map(shown).join(` ${strings.anyOf} `))}`;
  return problem ? `${sentence} (${problem})` : sentence;
}

function comparison(operator: Operator, values: string): string {
  if (operator === "semver_gte") return strings.orLater(values);
  if (operator === "semver_lte") return strings.orEarlier(values);
  return `${strings.operators[operator]} ${values}`;
}
