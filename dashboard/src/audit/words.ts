import { bytes, dateTime, number, percent } from "@/format/format";
import { conditionSentence } from "@/targeting/conditions";
import { strings } from "./strings";

type Condition = Parameters<typeof conditionSentence>[0];

/** Returns the name of a detail: a known one, or its own name spelled out. */
export function fieldName(field: string): string {
  const spelled = field.replace(/_/g, " ").replace(/([a-z\d])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return strings.fields[field] ?? spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

const switches = new Set(["enabled", "isEnabled", "isActive"]);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns a value of an entry's details in words, without JSON. */
export function inWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return strings.none;
  if (typeof value === "boolean") {
    if (switches.has(field)) return value ? strings.on : strings.off;
    return value ? strings.yes : strings.no;
  }
  if (typeof value === "number") return numberInWords(field, value);
  if (typeof value === "string") return time.test(value) ? dateTime(value) : value;
  if (Array.isArray(value)) return value.map((each) => inWords(field, each)).join(", ") || strings.none;
  return objectInWords(value as Record<string, unknown>);
}

function numberInWords(field: string, value: number): string {
  if (/(percentage|rate|weight)$/i.test(field)) return percent(value);
  if (/bytes$/i.test(field)) return bytes(value);
  if (/Stage$/.test(field)) return number(value + 1); // stages are counted from 0
  return /(Id|Ids|^id)$/.test(field) ? String(value) : number(value);
}

function objectInWords(value: Record<string, unknown>): string {
  if (typeof value.attribute === "string" && typeof value.operator === "string") return conditionSentence(value as unknown as Condition);
  if (typeof value.name === "string" && typeof value.value === "string") return strings.is(value.name, value.value);
  if (typeof value.flagKey === "string" && "value" in value) {
    return strings.is(value.flagKey, value.enabled === false ? strings.off : inWords("value", value.value));
  }
  return Object.entries(value)
    .filter(([, each]) => each !== null && each !== "")
    .map(([name, each]) => strings.fact(fieldName(name), inWords(name, each)))
    .join("; ");
}
