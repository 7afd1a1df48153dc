import { expect, test } from "vitest";
import { newRule, type Draft, type RuleDraft } from "./draft";
import { rebased } from "./rebase";

const rule = (id: number, users: string): RuleDraft => ({ ...newRule("user_list", "true"), key: String(id), id, users });
const before: Draft = {
  name: "Checkout",
  description: "",
  enabled: true,
  defaultValue: "false",
  variations: [
    { key: "1", id: 1, name: "On", value: "true" },
    { key: "2", id: 2, name: "Off", value: "false" },
  ],
  rules: [rule(5, "ada"), rule(6, "grace")],
  environments: [{ channelName: "production", enabled: null, defaultValue: null }],
};
const users = (draft: Draft) => draft.rules.map((each) => [each.id, each.users]);

test("a change by only one side is kept", () => {
  const added = { ...newRule("user_list", "true"), users: "linus" };
  const mine: Draft = {
    ...before,
    name: "New checkout",
    rules: [before.rules[0]!, { ...before.rules[1]!, users: "hopper" }, added],
    environments: [{ channelName: "production", enabled: false, defaultValue: null }],
  };
  const theirs: Draft = {
    ...before,
    description: "Of the shop",
    rules: [{ ...before.rules[0]!, users: "ada\nalan" }, before.rules[1]!, rule(7, "kay")],
    environments: [
      { channelName: "production", enabled: null, defaultValue: "true" },
      { channelName: "staging", enabled: null, defaultValue: null },
    ],
  };
  const draft = rebased(before, mine, theirs);
  expect(draft).toMatchObject({ name: "New checkout", description: "Of the shop", enabled: true });
  expect(users(draft)).toEqual([[5, "ada\nalan"], [6, "hopper"], [7, "kay"], [null, "linus"]]);
  expect(draft.environments).toEqual([
    { channelName: "production", enabled: false, defaultValue: "true" },
    { channelName: "staging", enabled: null, defaultValue: null },
  ]);
});

test("my change wins over theirs, even if they removed the item; an item that I removed stays removed", () => {
  const mine = { ...before, rules: [{ ...before.rules[0]!, users: "ada2" }] };
  expect(users(rebased(before, mine, { ...before, rules: [{ ...before.rules[0]!, users: "ada3" }, before.rules[1]!] }))).toEqual([[5, "ada2"]]);
  expect(users(rebased(before, mine, { ...before, rules: [before.rules[1]!] }))).toEqual([[null, "ada2"]]);
});

test("my order goes first", () => {
  const mine = { ...before, rules: before.rules.toReversed() };
  const theirs = { ...before, rules: [...before.rules, rule(7, "kay")] };
  expect(users(rebased(before, mine, theirs)).map(([id]) => id)).toEqual([6, 5, 7]);
});
