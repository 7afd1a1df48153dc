import type { Schemas } from "@/api/client";
import { conditionDraft, conditionOf, emptyCondition, isCompleteCondition, type ConditionDraft } from "@/targeting/conditions";

export type Flag = Schemas["Flag"];
export type Rule = Schemas["FlagRule"];
export type RuleType = Rule["ruleType"];
export type RuleConfig = Schemas["RuleConfig"];

/** The form values of a rule. Fields of other rule types keep their values while the type changes. */
export interface RuleDraft {
  /** Key in the form: the rule's ID, or a generated key for a rule that is not stored. */
  key: string;
  id: number | null;
  ruleType: RuleType;
  /** Empty for all channels. */
  channelName: string;
  variantValue: string;
  /** Whether the contexts that match are split among the shares, instead of getting one value. */
  isSplit: boolean;
  /** One targeting key per line. */
  users: string;
  conditions: ConditionDraft[];
  segmentKey: string;
  bucketBy: string;
  shares: { value: string; weight: string }[];
  branch: string;
  updateUuid: string;
  versionOperator: Schemas["VersionCondition"]["operator"];
  version: string;
  withinDays: string;
}

export interface VariationDraft {
  key: string;
  id: number | null;
  name: string;
  value: string;
}

export interface EnvironmentDraft {
  channelName: string;
  /** null follows the flag. */
  enabled: boolean | null;
  /** The value as a string; null follows the flag. */
  defaultValue: string | null;
}

/** The editable values of a flag. */
export interface Draft {
  name: string;
  description: string;
  enabled: boolean;
  defaultValue: string;
  variations: VariationDraft[];
  rules: RuleDraft[];
  environments: EnvironmentDraft[];
}

/** Returns a flag's value as a string, in the form that variations store. */
export const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

export function draftOf(flag: Flag): Draft {
  return {
    name: flag.name,
    description: flag.description,
    enabled: flag.enabled,
    // Variations of a JSON flag store a string with quotation marks, so its default needs them too.
    defaultValue: flag.flagType === "json" ? JSON.stringify(flag.defaultValue) : textOf(flag.defaultValue),
    variations: flag.variations.map(({ id, name, value }) => ({ key: String(id), id, name, value })),
    rules: flag.rules.map(ruleDraft),
    environments: flag.environments.map((each) => ({
      channelName: each.channelName,
      enabled: each.isEnabledInherited ? null : each.enabled,
      defaultValue: each.isDefaultInherited ? null : each.defaultValue,
    })),
  };
}

let made = 0;

/** Returns a new rule that is not stored yet. */
export function newRule(ruleType: RuleType, value: string): RuleDraft {
  made++;
  return {
    key: `new-${made}`,
    id: null,
    ruleType,
    channelName: "",
    variantValue: value,
    isSplit: ruleType === "percentage_rollout",
    users: "",
    conditions: [emptyCondition()],
    segmentKey: "",
    bucketBy: "",
    shares: [{ value, weight: "10" }],
    branch: "",
    updateUuid: "",
    versionOperator: "gte",
    version: "",
    withinDays: "",
  };
}

export const newVariation = (): VariationDraft => ({ key: `new-${++made}`, id: null, name: "", value: "" });

export function ruleDraft(rule: Rule): RuleDraft {
  const config = rule.ruleConfig;
  const value = rule.variantValue ?? config.rollout?.[0]?.variantValue ?? "";
  const users: unknown = config.userIds;
  return {
    ...newRule(rule.ruleType, value),
    key: String(rule.id),
    id: rule.id,
    channelName: rule.channelName ?? "",
    isSplit: rule.ruleType === "percentage_rollout" || (config.rollout ?? []).length > 0,
    users: Array.isArray(users) ? users.join("\n") : typeof users === "string" ? users.split(",").map((id) => id.trim()).join("\n") : "",
    conditions: (config.conditions ?? []).map(conditionDraft),
    segmentKey: config.segmentKey ?? "",
    bucketBy: config.bucketBy ?? "",
    shares: config.rollout?.length ? config.rollout.map((share) => ({ value: share.variantValue ?? "", weight: String(share.weight) })) : [{ value, weight: "10" }],
    branch: config.branch ?? "",
    updateUuid: config.updateUuid ?? "",
    versionOperator: config.runtimeVersion?.operator ?? "gte",
    version: config.runtimeVersion?.value ?? "",
    withinDays: config.updatedWithinDays === undefined ? "" : String(config.updatedWithinDays),
  };
}

const lines = (text: string) => [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];

/** Reports whether the rule ends in a split. */
export const isSplitRule = (rule: RuleDraft) => rule.isSplit || rule.ruleType === "percentage_rollout";

/** Returns the configuration of the rule in the API's format. */
export function configOf(rule: RuleDraft): RuleConfig {
  return { ...conditionsOf(rule), ...(isSplitRule(rule) && splitOf(rule)) };
}

function splitOf(rule: RuleDraft): RuleConfig {
  return {
    ...(rule.bucketBy.trim() && { bucketBy: rule.bucketBy.trim() }),
    rollout: rule.shares.map(({ value, weight }) => ({ variantValue: value, weight: Number(weight) })),
  };
}

/** Returns the part of the configuration that determines which contexts the rule matches. */
function conditionsOf(rule: RuleDraft): RuleConfig {
  switch (rule.ruleType) {
    case "user_list":
      return { userIds: lines(rule.users) };
    case "attribute":
      return { conditions: rule.conditions.map(conditionOf) };
    case "segment":
      return { segmentKey: rule.segmentKey };
    case "percentage_rollout":
      return {};
    case "ota_update":
      return {
        ...(rule.branch && { branch: rule.branch }),
        ...(rule.updateUuid.trim() && { updateUuid: rule.updateUuid.trim() }),
        ...(rule.version.trim() && { runtimeVersion: { operator: rule.versionOperator, value: rule.version.trim() } }),
        ...(rule.withinDays.trim() && { updatedWithinDays: Number(rule.withinDays) }),
      };
  }
}

export interface RuleBody {
  ruleType: RuleType;
  channelName: string | null;
  variantValue: string | null;
  ruleConfig: RuleConfig;
}

/** Returns the rule in the API's format. */
export function ruleBody(rule: RuleDraft): RuleBody {
  return {
    ruleType: rule.ruleType,
    channelName: rule.channelName || null,
    variantValue: isSplitRule(rule) ? null : rule.variantValue,
    ruleConfig: configOf(rule),
  };
}

/** Returns the sum of a split's shares in percent. */
export const sumOf = (rule: RuleDraft) => rule.shares.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0);

/** Reports whether the rule is complete enough for the API. */
export function isCompleteRule(rule: RuleDraft): boolean {
  return matchesSomething(rule) && (!isSplitRule(rule) || isCompleteSplit(rule));
}

function isCompleteSplit(rule: RuleDraft): boolean {
  return rule.shares.length > 0 && sumOf(rule) <= 100 && rule.shares.every(({ weight }) => weight.trim() !== "" && Number(weight) >= 0 && Number(weight) <= 100);
}

function matchesSomething(rule: RuleDraft): boolean {
  switch (rule.ruleType) {
    case "user_list":
      return lines(rule.users).length > 0;
    case "attribute":
      return rule.conditions.length > 0 && rule.conditions.every(isCompleteCondition);
    case "segment":
      return rule.segmentKey !== "";
    case "percentage_rollout":
      return true;
    case "ota_update":
      return Object.keys(conditionsOf(rule)).length > 0 && (rule.withinDays.trim() === "" || Number(rule.withinDays) >= 0);
  }
}

/** Returns the list with an item moved to another place. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  if (to < 0 || to >= list.length) return list;
  const next = list.toSpliced(from, 1);
  return next.toSpliced(to, 0, list[from]!);
}

/** Returns the draft with a new value for a variation, everywhere the old value was used. */
export function withValue(draft: Draft, key: string, value: string): Draft {
  const old = draft.variations.find((each) => each.key === key)?.value;
  if (old === undefined) return draft;
  const variations = draft.variations.map((each) => (each.key === key ? { ...each, value } : each));
  return following({ ...draft, variations }, new Map([[old, value]]));
}

/** Returns the draft with new values wherever old values of variations were used, all at the same time. */
export function following(draft: Draft, values: Map<string, string>): Draft {
  const swap = (text: string) => values.get(text) ?? text;
  return {
    ...draft,
    defaultValue: swap(draft.defaultValue),
    rules: draft.rules.map((rule) => ({
      ...rule,
      variantValue: swap(rule.variantValue),
      shares: rule.shares.map((share) => ({ ...share, value: swap(share.value) })),
    })),
    environments: draft.environments.map((each) => ({ ...each, defaultValue: each.defaultValue === null ? null : swap(each.defaultValue) })),
  };
}

/** Reports whether the draft uses a value, which then cannot be removed. */
export function isUsed(draft: Draft, value: string): boolean {
  return (
    draft.defaultValue === value ||
    draft.environments.some((each) => each.defaultValue === value) ||
    draft.rules.some((rule) => (isSplitRule(rule) ? rule.shares.some((share) => share.value === value) : rule.variantValue === value))
  );
}
