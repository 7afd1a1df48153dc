import { expect, it } from "vitest";
import type { Flag, Rule } from "@/pages/flag/draft";
import { flagAfter } from "./flagAfter";

const rule = (id: number, more: Partial<Rule> = {}): Rule => ({
  id, priority: id, channelName: null, ruleType: "user_list", ruleConfig: { userIds: [`user-${id}`] }, variantValue: "b", ...more,
});
const split = rule(3, { ruleType: "attribute", variantValue: null, ruleConfig: {
  conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }], rollout: [{ variantValue: "a", weight: 20 }, { variantValue: "b", weight: 5 }],
} });

const flag = {
  id: 9,
  key: "colour",
  name: "Colour",
  description: "",
  flagType: "string",
  defaultValue: "a",
  enabled: true,
  variations: [{ id: 1, name: "A", value: "a" }, { id: 2, name: "B", value: "b" }],
  rules: [rule(1), rule(2, { channelName: "staging" }), split],
  environments: [{ channelName: "production", enabled: false, defaultValue: "b", isEnabledInherited: false, isDefaultInherited: false }],
} as unknown as Flag;

const after = (action: string, input: object) => flagAfter(flag, { action, input: input as never });
const ids = (action: string, input: object) => after(action, input).rules.map(({ id }) => id);

it("puts a rule where its priority says, and otherwise behind all others", () => {
  const change = { ruleType: "user_list", ruleConfig: { userIds: ["ada", "ben"], userIdsAsText: true }, variantValue: "a" };
  expect(after("rule.create", { id: 9, change }).rules[3]).toEqual({ ruleType: "user_list", ruleConfig: { userIds: ["ada", "ben"] }, variantValue: "a" });
  expect(ids("rule.create", { id: 9, change: { ...change, priority: 1 } })).toEqual([1, undefined, 2, 3]);
  expect(ids("rule.update", { flagId: 9, id: 3, change: { priority: 0 } })).toEqual([3, 1, 2]);
  expect(ids("rule.order", { id: 9, change: { ruleIds: [2, 3, 1] } })).toEqual([2, 3, 1]);
  expect(ids("rule.delete", { flagId: 9, id: 2 })).toEqual([1, 3]);
});

it("finds the values of shares that are named by their variations", () => {
  const change = { ruleType: "percentage_rollout", ruleConfig: { rollout: [{ variationId: 2, weight: 10 }, { variantValue: "a", hasValue: true, weight: 5 }] } };
  expect(after("rule.create", { id: 9, change }).rules[3]?.ruleConfig.rollout).toEqual([
    { variantValue: "b", weight: 10 },
    { variantValue: "a", weight: 5 },
  ]);
});

it("replaces the value of a rule by shares, and shares by a value", () => {
  const shares = after("rule.update", { flagId: 9, id: 1, change: { ruleConfig: { userIds: ["ada"], rollout: [{ variationId: 1, weight: 50 }] } } }).rules[0];
  expect(shares).toEqual({ id: 1, ruleType: "user_list", ruleConfig: { userIds: ["ada"], rollout: [{ variantValue: "a", weight: 50 }] } });
  const value = after("rule.update", { flagId: 9, id: 3, change: { variantValue: "b" } }).rules[2];
  expect(value?.variantValue).toBe("b");
  expect(value?.ruleConfig).toEqual({ conditions: split.ruleConfig.conditions });
  expect(after("rule.update", { flagId: 9, id: 2, change: { channelName: null } }).rules[1]?.channelName).toBeUndefined();
});

it("changes fields of the flag, and leaves the others", () => {
  expect(after("flag.update", { id: 9, change: { enabled: false, defaultValue: "b" } })).toEqual({ ...after("none", {}), enabled: false, defaultValue: "b" });
});

it("follows the values of variations, even if two of them are exchanged", () => {
  const changed = after("variation.update", { flagId: 9, id: 2, change: { value: "c" } });
  expect(changed.variations).toEqual([{ id: 1, name: "A", value: "a" }, { id: 2, name: "B", value: "c" }]);
  expect(changed.rules[0]?.variantValue).toBe("c");
  expect(changed.environments?.[0]?.defaultValue).toBe("c");
  const exchanged = after("flag.update", { id: 9, change: { variations: [{ id: 1, name: "A", value: "b" }, { id: 2, name: "B", value: "a" }] } });
  expect(exchanged.defaultValue).toBe("b");
  expect(exchanged.rules[2]?.ruleConfig.rollout?.map(({ variantValue }) => variantValue)).toEqual(["b", "a"]);
  const named = after("flag.update", { id: 9, change: { variations: [{ name: "A", value: "z" }, { name: "Other", value: "b" }, { name: "C", value: "c" }] } });
  expect(named.variations).toEqual([{ id: 1, name: "A", value: "z" }, { id: 2, name: "Other", value: "b" }, { name: "C", value: "c" }]);
  expect(named.defaultValue).toBe("z");
});
