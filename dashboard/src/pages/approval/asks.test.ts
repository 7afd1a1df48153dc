// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { actions, asks, pageOfCall } from "./asks";

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
    { name: "Rule", text: "10% of devices get true; 90% continue to the next rule." },
  ]);
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
