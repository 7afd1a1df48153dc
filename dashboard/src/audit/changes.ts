import { ruleSentence } from "@/pages/flag/sentence";
import { strings } from "./strings";
import { fieldName, inWords } from "./words";

/** A changed field of a record, in words. */
export interface Change {
  name: string;
  text: string;
}

type Fields = Record<string, unknown>;
type Rule = Parameters<typeof ruleSentence>[0];

/** Names of variations by their values. */
type Names = Record<string, string>;

/** Reports whether a detail is a changed value. */
export function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === "object" && value !== null && "before" in value && "after" in value;
}

/** Returns what an entry's details say about changed fields, such as “Rollout percentage”, “10% → 50%”. */
export function changesOf(action: string, details: Fields): Change[] {
  if (isChange(details)) return [changeOf(action === "trusted_publishers.updated" ? "trustedPublishers" : "", details, {})];
  const all = { ...details, ...asFields(details.changes), ...asFields(details.changed) };
  const names = { ...namesIn(details.variations), ...(asFields(details.variationNames) as Names) };
  const changes = Object.entries(all).flatMap(([field, value]) => (isChange(value) && !(field === "assigneeId" && "assignee" in all) ? changed(field, value, names) : []));
  return typeof details.ruleType === "string" ? [...changes, { name: strings.aRule, text: ruleText(details, names) }] : changes;
}

/** Returns the names in a list of variations. */
export function namesIn(variations: unknown): Names {
  const named = asList(variations).filter(({ name, value }) => typeof name === "string" && name !== "" && typeof value === "string");
  return Object.fromEntries(named.map(({ name, value }) => [value, name])) as Names;
}

/** Fields of a call that identify the changed record, or that other parts of a page show. */
const addressing = new Set([
  "id", "flagId", "updateId", "buildId", "channel", "groupId", "policyId", "rolloutPolicyId", "reason", "note", "direct", "updateIds",
  "rollbackToUpdateId", "others", "ruleIds",
]);

/** Returns the values that a call sets, such as “Rollout percentage”, “50%”. known are the variations of the flag before the call. */
export function inputChanges(input: Fields, known: Names = {}): Change[] {
  const names = { ...known, ...namesIn(input.variations) };
  return Object.entries(input).flatMap(([field, value]) => {
    if (addressing.has(field) || value === null || value === undefined || value === "") return [];
    if (field === "rules") {
      const rules = asList(value);
      return rules.map((rule, index) => ({ name: strings.rule(index + 1), text: ruleText(rule, names, index === rules.length - 1) }));
    }
    if (field === "ruleType" || field === "variantValue" || field === "priority" || field === "channelName") return [];
    if (field === "ruleConfig" && typeof input.ruleType === "string") return [{ name: strings.aRule, text: ruleText(input, names) }];
    return [{ name: fieldName(field), text: named(field, value, names) }];
  });
}

function changed(field: string, change: { before: unknown; after: unknown }, names: Names): Change[] {
  switch (field) {
    case "rules":
      return rules(asList(change.before), asList(change.after), names);
    case "environments":
      return channels(asFields(change.before), asFields(change.after), names);
    case "ruleOrder":
      return [{ name: fieldName(field), text: strings.reordered }];
    default:
      return [changeOf(field, change, names)];
  }
}

function changeOf(field: string, { before, after }: { before: unknown; after: unknown }, names: Names): Change {
  return { name: fieldName(field), text: strings.change(named(field, before, names), named(field, after, names)) };
}

const valued = new Set(["defaultValue", "variantValue"]);

/** Returns a value in words: the value of a flag by the name of its variation. */
function named(field: string, value: unknown, names: Names): string {
  const name = valued.has(field) && names[typeof value === "string" ? value : JSON.stringify(value)];
  return name || inWords(field, value);
}

/** Returns one change per rule. Rules of before and after with the same ID are one rule. */
function rules(before: Fields[], after: Fields[], names: Names): Change[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const changes = after.map((rule) => {
    const old = was.get(rule.id);
    was.delete(rule.id);
    if (!old) return { name: strings.addedRule(numberOf(rule)), text: ruleText(rule, names) };
    return { name: strings.rule(numberOf(rule)), text: strings.change(ruleText(old, names), ruleText(rule, names)) };
  });
  return [...changes, ...[...was.values()].map((rule) => ({ name: strings.deletedRule(numberOf(rule)), text: ruleText(rule, names) }))];
}

/** Returns the number of a rule on the page of its flag, which counts from 1. */
const numberOf = ({ priority }: Fields) => Number(priority) + 1;

/** Returns a rule in words. Rules of the log have null for a missing value, as the sentence expects. */
function ruleText(rule: Fields, names: Names, isLast: boolean | null = null): string {
  const variations = Object.entries(names).map(([value, name]) => ({ name, value }));
  return ruleSentence({ ...rule, ruleConfig: asFields(rule.ruleConfig) } as unknown as Rule, variations, [], isLast);
}

function channels(before: Fields, after: Fields, names: Names): Change[] {
  return Object.keys(after).flatMap((channel) => {
    const [was, is] = [asFields(before[channel]), asFields(after[channel])];
    const row = (field: "enabled" | "defaultValue", name: string): Change[] => {
      const words = (value: unknown) => (value == null ? strings.inherited : named(field, value, names));
      return was[field] === is[field] ? [] : [{ name, text: strings.change(words(was[field]), words(is[field])) }];
    };
    return [...row("enabled", strings.stateOn(channel)), ...row("defaultValue", strings.defaultOn(channel))];
  });
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function asList(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
