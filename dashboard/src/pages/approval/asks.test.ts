// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { actions, asks, flagOfValues, pageOfCall } from "./asks";

it("knows every call that may have to wait for approval", () => {
  const inputs = readFileSync(join(import.meta.dirname, "../../../../activities/operations/testdata/inputs.txt"), "utf8");
  const calls = [...inputs.matchAll(/^([a-z_.]+) version \d+$/gm)].map(([, name]) => name!);
  expect(calls.length).toBeGreaterThan(20);
  expect(calls.filter((name) => !actions.includes(name))).toEqual([]);
});

it("returns the new values in words", () => {
  expect(asks({ action: "update.patch", input: { id: 7, change: { rolloutPercentage: 50, isCritical: true, reason: "support" } } })).toEqual([
    { name: "Rollout percentage", text: "50%" },
    { name: "Critical", text: "yes" },
  ]);
  const rule = { ruleType: "percentage_rollout", ruleConfig: { rollout: [{ variantValue: "true", weight: 10 }] }, variantValue: "", priority: 0 };
  expect(asks({ action: "rule.create", input: { id: 21, change: rule } })).toEqual([
    { name: "Rule", text: "10% of devices get true; 90% continue to the next rule, or get the default after the last rule." },
  ]);
});

it("names the values of a flag by its variations", () => {
  const variations = [{ id: 3, name: "On", value: "true" }, { id: 4, name: "Off", value: "false" }];
  const split = { ruleType: "percentage_rollout", ruleConfig: { rollout: [{ variantValue: "true", hasValue: true, weight: 10 }] } };
  const saved = { action: "flag.save", input: { id: 21, change: { defaultValue: false, variations, rules: [split, split] } } };
  expect(flagOfValues(saved), "the call has the names").toBeNull();
  expect(asks(saved).filter(({ name }) => name !== "Variations")).toEqual([
    { name: "Default", text: "Off" },
    { name: "Rule 1", text: "10% of devices get On; 90% continue to the next rule." },
    { name: "Rule 2", text: "10% of devices get On; 90% get the default." },
  ]);
  const rule = { action: "rule.update", input: { flagId: 21, id: 5, change: { ruleType: "user_list", ruleConfig: { userIds: ["ada"] }, variantValue: "true" } } };
  expect(flagOfValues(rule)).toBe(21);
  expect(asks(rule, variations)).toContainEqual({ name: "Rule", text: "Users “ada” get On." });
});

it("shows a scheduled change as its time and its values", () => {
  const change = { at: "2026-03-15T09:00:00Z", body: { name: "Checkout", enabled: true, rules: [] } };
  const asked = asks({ action: "flag.schedule", input: { id: 21, change } });
  expect(asked[0]).toMatchObject({ name: "Time of the change" });
  expect(asked[0]!.text).toContain("2026");
  expect(asked.slice(1)).toEqual([
    { name: "Name", text: "Checkout" },
    { name: "State", text: "on" },
  ]);
});

it("links to the record that a call changes", () => {
  expect(pageOfCall({ action: "rule.update", input: { flagId: 21, id: 5 } })).toEqual({ to: "/$project/flags/$id", id: "21" });
  expect(pageOfCall({ action: "moon.land", input: {} })).toBeNull();
});
