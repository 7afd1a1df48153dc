import { describe, expect, it } from "vitest";
import { changesOf, needsOrder } from "./diff";
import { configOf, draftOf, isCompleteRule, isUsed, moved, newRule, ruleBody, ruleDraft, withValue, type Flag, type Rule } from "./draft";
import { flagBody, save } from "./save";
import { ruleSentence } from "./sentence";
import type { ApiClient } from "@/api/client";

const rule = (id: number, fields: Partial<Rule>): Rule => ({ id, priority: id, channelName: null, variantValue: "true", ruleType: "user_list", ruleConfig: {}, ...fields });

const rules: Rule[] = [
  rule(1, { ruleConfig: { userIds: ["ada", "grace"] } }),
  rule(2, { ruleType: "segment", ruleConfig: { segmentKey: "beta" } }),
  rule(3, { ruleType: "attribute", channelName: "production", variantValue: "false", ruleConfig: { conditions: [{ attribute: "age", operator: "lt", values: [18] }, { attribute: "plan", operator: "exists" }] } }),
  rule(4, { ruleType: "ota_update", ruleConfig: { branch: "main", runtimeVersion: { operator: "gte", value: "1.0.0" }, updatedWithinDays: 7 } }),
  rule(5, { ruleType: "percentage_rollout", variantValue: null, ruleConfig: { bucketBy: "company", rollout: [{ variantValue: "true", weight: 25 }, { variantValue: "false", weight: 50 }] } }),
];

const flag: Flag = {
  id: 9,
  key: "checkout",
  name: "Checkout",
  description: "",
  flagType: "boolean",
  defaultValue: false,
  enabled: true,
  variations: [
    { id: 1, name: "On", value: "true" },
    { id: 2, name: "Off", value: "false" },
  ],
  rules,
  environments: [
    { channelName: "production", enabled: true, defaultValue: "false", isEnabledInherited: false, isDefaultInherited: false },
    { channelName: "staging", enabled: true, defaultValue: "false", isEnabledInherited: true, isDefaultInherited: true },
  ],
  activeRollouts: [],
  createdAt: "2026-11-01T00:00:00Z",
  updatedAt: "2026-11-01T00:00:00Z",
};

describe("rules", () => {
  it("go through the form unchanged", () => {
    for (const each of rules) {
      const { ruleType, channelName, variantValue, ruleConfig } = each;
      expect(ruleBody(ruleDraft(each))).toEqual({ ruleType, channelName, variantValue, ruleConfig });
      expect(isCompleteRule(ruleDraft(each))).toBe(true);
    }
  });

  it("read as sentences", () => {
    const sentences = rules.map((each) => ruleSentence(ruleBody(ruleDraft(each)), flag.variations, [{ key: "beta", name: "Beta testers" }]));
    expect(sentences).toEqual([
      "Users “ada” and “grace” get On.",
      "A context in the segment Beta testers gets On.",
      "On production: A context where age is less than 18 and plan is set gets Off.",
      "A device on a release of the branch main and of a runtime from 1.0.0 and that is at most 7 days old gets On.",
      "Split by company, 25% get On and 50% get Off; 25% continue to the next rule.",
    ]);
  });

  it("take user IDs by line, once each", () => {
    expect(configOf({ ...newRule("user_list", "true"), users: " ada\n\ngrace\nada" })).toEqual({ userIds: ["ada", "grace"] });
  });

  it("are incomplete without what their type needs", () => {
    for (const type of ["user_list", "attribute", "segment", "ota_update"] as const) expect(isCompleteRule(newRule(type, "true"))).toBe(false);
    const rollout = newRule("percentage_rollout", "true");
    expect(isCompleteRule(rollout)).toBe(true);
    expect(isCompleteRule({ ...rollout, shares: [...rollout.shares, { value: "false", weight: "91" }] })).toBe(false);
  });
});

describe("the diff", () => {
  const before = draftOf(flag);

  it("is empty for an untouched draft", () => {
    expect(changesOf(before, draftOf(flag))).toEqual([]);
  });

  it("names what is changed, new, removed and moved", () => {
    const added = { ...newRule("user_list", "true"), users: "linus" };
    const after = { ...before, name: "New checkout", enabled: false, rules: [added, ...moved(before.rules.slice(1), 0, 1)] };
    const changes = changesOf(before, after);
    expect(changes.map(({ what }) => what)).toEqual(["Name", "State on channels without their own setting", "Rule 1", "Rule 1", "Order of rules"]);
    expect(changes[2]).toEqual({ what: "Rule 1", before: null, after: "Users “linus” get On." });
    expect(changes[3]?.after).toBeNull();
    expect(changes[4]?.after).toBe("new, 3, 2, 4, 5");
  });

  it("does not set the order for a rule that is added at the end", () => {
    expect(needsOrder(before, { ...before, rules: [...before.rules, newRule("segment", "true")] })).toBe(false);
    expect(needsOrder(before, { ...before, rules: moved(before.rules, 0, 1) })).toBe(true);
  });

  it("lets a channel follow the flag", () => {
    expect(before.environments[1]).toEqual({ channelName: "staging", enabled: null, defaultValue: null });
    const after = { ...before, environments: [{ channelName: "production", enabled: null, defaultValue: "false" }] };
    expect(changesOf(before, after)).toEqual([{ what: "On production", before: "On", after: "Same as the flag" }]);
  });
});

describe("variations", () => {
  const before = draftOf(flag);

  it("change their value wherever it stands", () => {
    const after = withValue(before, "2", "no");
    expect(after.defaultValue).toBe("no");
    expect(after.environments[0]?.defaultValue).toBe("no");
    expect(after.rules[2]?.variantValue).toBe("no");
    expect(isUsed(after, "false")).toBe(false);
  });

  it("are removed only in the last call", () => {
    const after = { ...before, variations: before.variations.slice(0, 1) };
    expect(flagBody(before, after, false)).toEqual({});
    expect(flagBody(before, after, true).variations).toHaveLength(1);
  });
});

describe("saving", () => {
  it("sends the ETag with the first call, and orders new rules by their IDs", async () => {
    const calls: unknown[] = [];
    const answer = (method: string, data: unknown) => (path: string, options: { params: { header?: Record<string, string> }; body?: unknown }) => {
      calls.push([method, path, options.body, ...(options.params.header?.["If-Match"] ? [options.params.header["If-Match"]] : [])]);
      return Promise.resolve({ data });
    };
    const client = { PATCH: answer("PATCH", {}), POST: answer("POST", { id: 77 }), PUT: answer("PUT", {}), DELETE: answer("DELETE", undefined) } as unknown as ApiClient;
    const before = draftOf({ ...flag, rules: rules.slice(0, 1) });
    const added = { ...newRule("segment", "true"), segmentKey: "beta" };
    const saved = await save(client, 9, '"x"', before, { ...before, rules: [added, ...before.rules] });
    expect(saved).toMatchObject({ waiting: 0, error: null });
    expect(saved.draft.rules.map(({ id }) => id)).toEqual([77, 1]);
    expect(calls).toEqual([
      ["PATCH", "/v1/ota/flags/{id}", {}, '"x"'],
      ["POST", "/v1/ota/flags/{id}/rules", { ruleType: "segment", variantValue: "true", channelName: undefined, ruleConfig: { segmentKey: "beta" } }],
      ["PUT", "/v1/ota/flags/{id}/rules/order", { ruleIds: [77, 1] }],
    ]);
  });
});
