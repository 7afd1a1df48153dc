// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { changesOf, needsOrder } from "./diff";
import { configOf, draftOf, isCompleteRule, isUsed, moved, newRule, ruleBody, ruleDraft, withValue, type Flag, type Rule, type RuleDraft } from "./draft";
import { flagBody } from "./save";
import { ruleSentence } from "./sentence";

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
  newestReleases: [],
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
      "Devices in the segment Beta testers get On.",
      "On production: Devices whose age is less than 18 and whose plan is set get Off.",
      "Devices on a release of the branch main and of runtime version 1.0.0 or later and that is at most 7 days old get On.",
      "25% of devices get On and 50% get Off, split by company; 25% continue to the next rule.",
    ]);
    const split = rule(6, {
      ruleType: "attribute",
      variantValue: null,
      ruleConfig: {
        conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }, { attribute: "version", operator: "semver_gte", values: ["2"] }],
        rollout: [{ variantValue: "true", weight: 10 }],
      },
    });
    expect(ruleSentence(ruleBody(ruleDraft(split)), flag.variations, [], true)).toBe(
      "10% of devices whose platform is ios and whose version is 2 or later get On; 90% get the default.",
    );
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

  it("says that the rest of the last rule gets the default", () => {
    const split = newRule("percentage_rollout", "true");
    const [last] = changesOf(before, { ...before, rules: [...before.rules, split] });
    expect(last?.after).toMatch(/get the default\.$/);
    const [first] = changesOf(before, { ...before, rules: [split, ...before.rules] });
    expect(first?.after).toMatch(/continue to the next rule\.$/);
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
});

describe("saving", () => {
  it("sends the whole flag, with the IDs of kept rules and the channels that have their own settings", () => {
    const before = draftOf({ ...flag, rules: rules.slice(0, 1) });
    const added: RuleDraft = { ...newRule("attribute", "true"), isSplit: true, conditions: [{ attribute: "platform", operator: "eq", type: "text", values: ["ios"] }] };
    expect(flagBody({ ...before, rules: [added, ...before.rules] })).toEqual({
      name: "Checkout",
      description: "",
      enabled: true,
      defaultValue: "false",
      variations: [
        { id: 1, name: "On", value: "true" },
        { id: 2, name: "Off", value: "false" },
      ],
      rules: [
        { ruleType: "attribute", ruleConfig: { conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }], rollout: [{ variantValue: "true", weight: 10 }] } },
        { id: 1, ruleType: "user_list", ruleConfig: { userIds: ["ada", "grace"] }, variantValue: "true" },
      ],
      environments: [{ channelName: "production", enabled: true, defaultValue: "false" }],
    });
  });
});
