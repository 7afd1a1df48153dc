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

/** Reports whether a detail is a changed value. */
export function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === "object" && value !== null && "before" in value && "after" in value;
}

/** Returns what an entry's details say about changed fields, such as “Rollout percentage”, “10% → 50%”. */
export function changesOf(action: string, details: Fields): Change[] {
  if (isChange(details)) return [changeOf(action === "trusted_publishers.updated" ? "trustedPublishers" : "", details)];
  const all = { ...details, ...asFields(details.changes), ...asFields(details.changed) };
  const changes = Object.entries(all).flatMap(([field, value]) => (isChange(value) && !(field === "assigneeId" && "assignee" in all) ? changed(field, value) : []));
  return typeof details.ruleType === "string" ? [...changes, { name: strings.aRule, text: ruleText(details) }] : changes;
}

/** Fields of a call that identify the changed record, or that other parts of a page show. */
const addressing = new Set([
  "id", "flagId", "updateId", "buildId", "channel", "groupId", "policyId", "rolloutPolicyId", "reason", "note", "direct", "updateIds",
  "rollbackToUpdateId", "others", "ruleIds",
]);

/** Returns the values that a call sets, such as “Rollout percentage”, “50%”. */
export function inputChanges(input: Fields): Change[] {
  return Object.entries(input).flatMap(([field, value]) => {
    if (addressing.has(field) || value === null || value === undefined || value === "") return [];
    if (field === "rules") return asList(value).map((rule, index) => ({ name: strings.rule(index + 1), text: ruleText(rule) }));
    if (field === "ruleType" || field === "variantValue" || field === "priority" || field === "channelName") return [];
    if (field === "ruleConfig" && typeof input.ruleType === "string") return [{ name: strings.aRule, text: ruleText(input) }];
    return [{ name: fieldName(field), text: inWords(field, value) }];
  });
}

function changed(field: string, change: { before: unknown; after: unknown }): Change[] {
  switch (field) {
    case "rules":
      return rules(asList(change.before), asList(change.after));
    case "environments":
      return channels(asFields(change.before), asFields(change.after));
    case "ruleOrder":
      return [{ name: fieldName(field), text: strings.reordered }];
    default:
      return [changeOf(field, change)];
  }
}

function changeOf(field: string, { before, after }: { before: unknown; after: unknown }): Change {
  return { name: fieldName(field), text: strings.change(inWords(field, before), inWords(field, after)) };
}

/** Returns one change per rule. Rules of before and after with the same ID are one rule. */
function rules(before: Fields[], after: Fields[]): Change[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const changes = after.map((rule) => {
    const old = was.get(rule.id);
    was.delete(rule.id);
    return { name: ruleName(rule), text: old ? strings.change(ruleText(old), ruleText(rule)) : strings.added(ruleText(rule)) };
  });
  return [...changes, ...[...was.values()].map((rule) => ({ name: ruleName(rule), text: strings.removed(ruleText(rule)) }))];
}

function ruleName({ priority }: Fields): string {
  return typeof priority === "number" ? strings.rule(priority + 1) : strings.aRule;
}

/** Returns a rule in words. Rules of the log have null for a missing value, as the sentence expects. */
function ruleText(rule: Fields): string {
  return ruleSentence({ ...rule, ruleConfig: asFields(rule.ruleConfig) } as unknown as Rule, []);
}

function channels(before: Fields, after: Fields): Change[] {
  return Object.keys(after).flatMap((channel) => {
    const [was, is] = [asFields(before[channel]), asFields(after[channel])];
    const row = (field: "enabled" | "defaultValue", name: string): Change[] => {
      const words = (value: unknown) => (value == null ? strings.inherited : inWords(field, value));
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
