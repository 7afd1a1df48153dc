import type { Schemas } from "@/api/client";
import { strings } from "./strings";

export type Condition = Schemas["RuleCondition"];
export type Operator = Condition["operator"];
export type ValueType = keyof typeof strings.types;

/** What the form of a condition holds. Values are texts of one type. */
export interface ConditionDraft {
  attribute: string;
  operator: Operator;
  type: ValueType;
  values: string[];
}

export const operators = Object.keys(strings.operators) as Operator[];

/** Whether the operator compares with values. */
export const takesValues = (operator: Operator) => operator !== "exists" && operator !== "not_exists";

/** The types that values of the operator may have; the first is the usual one. */
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

/** What the values of the operator look like, where it is not plain text. */
export function hintOf({ operator, type }: Pick<ConditionDraft, "operator" | "type">): string | undefined {
  if (operator === "before" || operator === "after") return strings.hints.time;
  if (operator.startsWith("semver_")) return strings.hints.version;
  if (operator === "matches") return strings.hints.pattern;
  if (type === "json") return strings.hints.json;
  return type === "number" ? strings.hints.number : undefined;
}

export const emptyCondition = (): ConditionDraft => ({ attribute: "", operator: "eq", type: "text", values: [""] });

/** The form of stored values: one type for all of them, JSON texts for a mixture. */
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

/** The same condition with another operator; values keep their texts. */
export function withOperator(draft: ConditionDraft, operator: Operator): ConditionDraft {
  const types = typesOf(operator);
  return { ...draft, operator, type: types.includes(draft.type) ? draft.type : types[0]! };
}

const decimal = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

type Value = NonNullable<Condition["values"]>[number];

/** The value of a text; undefined when the text is none of the type. */
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

/** Whether the API can take it: it has an attribute, and each of its values is of the type. */
export function isCompleteCondition(draft: ConditionDraft): boolean {
  if (!draft.attribute.trim()) return false;
  if (!takesValues(draft.operator)) return true;
  return draft.values.length > 0 && draft.values.every((text) => text !== "" && valueOf(draft.type, text) !== undefined);
}

/** The condition as a rule has it. */
export function conditionOf(draft: ConditionDraft): Condition {
  const { operator } = draft;
  const attribute = draft.attribute.trim();
  if (!takesValues(operator)) return { attribute, operator };
  return { attribute, operator, values: draft.values.map((text) => valueOf(draft.type, text) ?? text) };
}

/** A value in a sentence: text in quotes, all else as JSON. */
export const quoted = (value: unknown) => (typeof value === "string" ? `“${value}”` : JSON.stringify(value));

/** The condition in words: country is one of “DE” or “AT”. */
export function conditionSentence(condition: { attribute: string; operator: Operator; values?: unknown[] | null; problem?: string }): string {
  const { attribute, operator, values, problem } = condition;
  const words = `${attribute} ${strings.operators[operator]}`;
  if (!takesValues(operator)) return words;
  // Texts of numbers are numbers to these.
  const shown = /^[gl]te?$/.test(operator) ? String : quoted;
  const sentence = `${words} ${(values ?? []).map(shown).join(` ${strings.anyOf} `)}`;
  return problem ? `${sentence} (${problem})` : sentence;
}
