import { draftOf, following, textOf, type Draft, type Flag, type Rule, type RuleConfig, type VariationDraft } from "@/pages/flag/draft";
import { flagBody, type SaveFlagBody } from "@/pages/flag/save";
import type { Asked } from "./asks";

type Fields = Record<string, unknown>;
type Variation = Flag["variations"][number];

/** The ID of a rule that the call adds. Waft tries it after all rules of the same priority. */
const added = Number.MAX_SAFE_INTEGER;

/** Returns the whole flag as it would be after a waiting call that changes a part of it: the body of the flag's preview. */
export function flagAfter(flag: Flag, { action, input }: Asked): SaveFlagBody {
  const { change, ...own } = (input ?? {}) as Fields;
  const fields = (change ?? {}) as Fields;
  const { rules, ...draft } = draftOf({ ...flag, rules: rulesAfter(flag, action, own, fields) });
  const before: Draft = { ...draft, rules: rules.map((rule) => (rule.id === added ? { ...rule, id: null } : rule)) };
  switch (action) {
    case "variation.update":
      return flagBody(withVariations(before, before.variations.map((each) => (each.id === own.id ? { ...each, ...fields } : each))));
    case "flag.update":
      return flagBody(withFields(before, fields));
    default:
      return flagBody(before);
  }
}

/** Returns the rules after the call, in the order in which Waft tries them. */
function rulesAfter(flag: Flag, action: string, { id }: Fields, change: Fields): Rule[] {
  const { rules } = flag;
  switch (action) {
    case "rule.create": {
      const priority = Number(change.priority ?? (rules.at(-1)?.priority ?? -1) + 1);
      return ordered([...rules, { ...change, id: added, priority, ruleConfig: configOf(flag, change.ruleConfig) } as Rule]);
    }
    case "rule.update":
      return ordered(rules.map((rule) => (rule.id === id ? changedRule(flag, rule, change) : rule)));
    case "rule.delete":
      return rules.filter((rule) => rule.id !== id);
    case "rule.order": {
      const order = change.ruleIds as number[];
      return rules.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    }
    default:
      return rules;
  }
}

const ordered = (rules: Rule[]) => rules.toSorted((a, b) => a.priority - b.priority || a.id - b.id);

function changedRule(flag: Flag, rule: Rule, change: Fields): Rule {
  if (change.ruleConfig !== undefined) return { ...rule, ...change, ruleConfig: configOf(flag, change.ruleConfig) } as Rule;
  const changed = { ...rule, ...change } as Rule;
  // A value replaces the shares of a split.
  const isSplitEnded = typeof change.variantValue === "string" && changed.ruleType !== "percentage_rollout";
  return isSplitEnded ? { ...changed, ruleConfig: { ...changed.ruleConfig, rollout: undefined, bucketBy: undefined } } : changed;
}

/** Returns the configuration of a rule with the value of each share. The call may name a share's variation by its ID. */
function configOf(flag: Flag, config: unknown): RuleConfig {
  const { rollout, ...rest } = (config ?? {}) as RuleConfig;
  if (!rollout) return rest;
  const valueOf = (id: number | undefined) => flag.variations.find((each) => each.id === id)?.value;
  return { ...rest, rollout: rollout.map(({ variationId, variantValue, weight }) => ({ variantValue: valueOf(variationId) ?? variantValue ?? "", weight })) };
}

function withFields(draft: Draft, { variations, defaultValue, ...fields }: Fields): Draft {
  const listed = variations === undefined ? draft : withVariations(draft, matched(draft, variations as Partial<Variation>[]));
  return { ...listed, ...fields, ...(defaultValue !== undefined && { defaultValue: textOf(defaultValue) }) };
}

/** Returns the listed variations with their IDs. Without an ID, a variation is the stored variation of its value, or else of its name. */
function matched({ variations }: Draft, listed: Partial<Variation>[]): VariationDraft[] {
  const stored = listed.map(({ id }) => variations.find((each) => each.id === id));
  for (const field of ["value", "name"] as const) {
    listed.forEach((each, index) => {
      if (each.id === undefined) stored[index] ??= variations.find((one) => one[field] === each[field] && !stored.includes(one));
    });
  }
  return listed.map(({ name = "", value = "" }, index) => ({ key: stored[index]?.key ?? `added-${index}`, id: stored[index]?.id ?? null, name, value }));
}

/** Returns the draft with other variations. Rules and default values with the value of a changed variation follow it. */
function withVariations(draft: Draft, variations: VariationDraft[]): Draft {
  const values = draft.variations.map(({ id, value }): [string, string] => [value, variations.find((each) => each.id === id)?.value ?? value]);
  return { ...following(draft, new Map(values)), variations };
}
