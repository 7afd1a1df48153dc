import { ruleBody, type Draft, type RuleDraft } from "./draft";
import { nameOf, ruleSentence } from "./sentence";
import { strings } from "./strings";

/** A line in the list of changes that saving would make. */
export interface Change {
  what: string;
  /** null if the item is new. */
  before: string | null;
  /** null if the item is removed. */
  after: string | null;
}

const text = strings.diff;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Reports whether the draft changes a stored rule. */
export const isChangedRule = (before: RuleDraft, after: RuleDraft) => !same(ruleBody(before), ruleBody(after));

/**
 * Reports whether saving must set the order of rules. Without that, kept rules stay in their order and new rules follow in the
 * order of the draft.
 */
export function needsOrder(before: Draft, after: Draft): boolean {
  const keys = new Set(after.rules.map((rule) => rule.key));
  const stays = before.rules.filter((rule) => keys.has(rule.key)).map((rule) => rule.key);
  const added = after.rules.filter((rule) => rule.id === null).map((rule) => rule.key);
  return !same([...stays, ...added], after.rules.map((rule) => rule.key));
}

/** Returns the changes that saving the draft would make, line by line. */
export function changesOf(before: Draft, after: Draft, segments: { key: string; name: string }[] = []): Change[] {
  const changes: Change[] = [];
  const note = (what: string, from: string | null, to: string | null) => {
    if (from !== to) changes.push({ what, before: from, after: to });
  };
  note(text.name, before.name, after.name);
  note(text.description, before.description, after.description);
  note(text.enabled, onOff(before.enabled), onOff(after.enabled));
  note(text.defaultValue, nameOf(before.defaultValue, before.variations), nameOf(after.defaultValue, after.variations));
  for (const variation of after.variations) {
    const old = before.variations.find((each) => each.key === variation.key);
    note(text.variation, old ? variationText(old) : null, variationText(variation));
  }
  for (const old of before.variations) {
    if (!after.variations.some((each) => each.key === old.key)) note(text.variation, variationText(old), null);
  }
  const sentence = (rule: RuleDraft, of: Draft) => ruleSentence(ruleBody(rule), of.variations, segments, of.rules.at(-1)?.key === rule.key);
  after.rules.forEach((rule, index) => {
    const old = before.rules.find((each) => each.key === rule.key);
    if (!old) note(text.rule(index + 1), null, sentence(rule, after));
    else if (isChangedRule(old, rule)) changes.push({ what: text.rule(index + 1), before: sentence(old, before), after: sentence(rule, after) });
  });
  before.rules.forEach((old, index) => {
    if (!after.rules.some((rule) => rule.key === old.key)) note(text.rule(index + 1), sentence(old, before), null);
  });
  if (needsOrder(before, after)) {
    const order = after.rules.map((rule) => {
      const at = before.rules.findIndex((each) => each.key === rule.key);
      return at < 0 ? text.newRule : String(at + 1);
    });
    changes.push({ what: text.order, before: before.rules.map((_, index) => index + 1).join(", "), after: order.join(", ") });
  }
  for (const environment of after.environments) {
    const old = before.environments.find((each) => each.channelName === environment.channelName);
    if (!old) continue;
    note(text.on(environment.channelName), onOff(old.enabled), onOff(environment.enabled));
    note(text.defaultOn(environment.channelName), defaultText(old.defaultValue, before), defaultText(environment.defaultValue, after));
  }
  return changes;
}

const onOff = (enabled: boolean | null) => (enabled === null ? strings.follows : enabled ? strings.on : strings.off);
const variationText = ({ name, value }: { name: string; value: string }) => text.is(name, value);
const defaultText = (value: string | null, draft: Draft) => (value === null ? strings.follows : nameOf(value, draft.variations));
