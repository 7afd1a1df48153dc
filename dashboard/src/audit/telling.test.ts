// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pageOf } from "./pageOf";
import { sentences } from "./strings";
import { deed, subjectOf, telling, type Entry } from "./telling";

const root = join(import.meta.dirname, "../../..");

/** Returns the text of the Go files in a folder of the server and in its subfolders, without tests. */
function sources(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
    .map((name) => readFileSync(join(root, folder, name), "utf8"))
    .join("\n");
}

it("has a sentence for every action that the server can record", () => {
  const events = [...sources("models").matchAll(/\{\s*"([a-z_]+\.[a-z_]+)",\s/g)].map(([, name]) => name!);
  const written = [...sources("internal/store").matchAll(/(?:\.Audit|Entry)\((?:c\.Actor, |actor, |c, [\w.]+, )?"([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name!);
  expect(events.length).toBeGreaterThan(70);
  expect(written).toContain("channel.updated");
  expect([...new Set([...events, ...written])].filter((name) => !(name in sentences))).toEqual([]);
});

const flag = { kind: "flag", id: "21", name: "new-checkout", exists: true };

function entry(action: string, subject: Entry["subject"], details: Record<string, unknown> = {}): Entry {
  return { action, actorType: "user", actorId: "7", actorName: "ada@example.com", subject, details };
}

function text(each: Entry): string {
  const { actor, before, subject, after } = telling(each);
  return `${actor} ${before}${after === null ? "" : subject + after}`;
}

it("tells who did what to which record", () => {
  const release = { kind: "release", id: "17", name: "Faster start", platform: "ios", runtimeVersion: "1.4.0", exists: true };
  const off = entry("update.patched", release, { isEnabled: { before: true, after: false }, reason: "crashes" });
  expect(text(off)).toBe("ada@example.com turned the release “Faster start” (iOS 1.4.0) off");
  expect(telling(off)).toMatchObject({ reason: "crashes", changes: [], others: [] });
  expect(text({ ...entry("build.published", { ...release, name: "" }, { channel: "beta" }), actorType: "api_key", actorName: "ci" })).toBe(
    "API key ci published the release #17 (iOS 1.4.0) to the channel beta",
  );
  expect(text({ ...entry("rollout.rolled_back", { ...release, kind: "rollout" }, { percentage: 5 }), actorType: "system" })).toBe(
    "Waft rolled back the rollout of “Faster start” (iOS 1.4.0) at 5%",
  );
  expect(text(entry("member.added", { kind: "member", id: "3", name: "ada@example.com", exists: false }, { email: "ada@example.com", role: "editor" }))).toBe(
    "ada@example.com joined the project as an editor",
  );
  const error = { kind: "error_group", id: "5", name: "TypeError", exists: true };
  const assigned = entry("error_group.updated", error, { assigneeId: { before: null, after: 12 }, assignee: { before: null, after: "kim@example.com" } });
  expect(text(assigned)).toBe("ada@example.com assigned the error TypeError to kim@example.com");
  expect(JSON.stringify(telling(assigned)), "the number of an account means nothing").not.toContain("12");
  const approval = { kind: "approval", id: "9", name: "publish build “Faster start”", exists: true };
  expect(text(entry("approval.approved", approval))).toBe("ada@example.com approved the request to publish build “Faster start”");
  expect(text({ ...entry("approval.expired", approval), actorType: "system" })).toBe(
    "Waft did not publish build “Faster start”, because the request was not approved in time",
  );
  expect(subjectOf({ kind: "session", id: "320543", name: "", exists: false } as never), "the number of a session means nothing").toBe("");
  expect(text(entry("moon.landed_on", flag))).toBe("ada@example.com moon landed on the flag new-checkout");
  expect(deed({ action: "update.created", details: { branchName: "next" } }, "it")).toBe("published it on the branch next");
});

it("lists changed fields in words", () => {
  const rule = { id: 5, priority: 1, ruleType: "attribute", channelName: null, variantValue: "true" };
  const split = { ruleType: "percentage_rollout", channelName: null, variantValue: null, ruleConfig: { rollout: [{ variantValue: "true", weight: 10 }] } };
  const conditions = (value: string) => ({ ruleConfig: { conditions: [{ attribute: "platform", operator: "eq", values: [value] }] } });
  const saved = entry("flag.updated", flag, {
    key: "new-checkout",
    changes: {
      enabled: { before: false, after: true },
      rules: {
        before: [{ ...rule, ...conditions("ios") }, { ...rule, id: 6, priority: 2, ruleType: "user_list", ruleConfig: { userIds: ["kim"] }, variantValue: "false" }],
        after: [{ ...rule, ...conditions("android") }, { ...split, id: 7, priority: 0 }],
      },
      environments: { before: { beta: { enabled: null, defaultValue: null } }, after: { beta: { enabled: true, defaultValue: "true" } } },
    },
    variationNames: { true: "On", false: "The old one" },
  });
  expect(text(saved)).toBe("ada@example.com changed the flag new-checkout");
  expect(telling(saved).changes).toEqual([
    { name: "State", text: "off → on" },
    { name: "Rule 2", text: "Devices whose platform is ios get On. → Devices whose platform is android get On." },
    { name: "Added rule 1", text: "10% of devices get On; 90% continue to the next rule, or get the default after the last rule." },
    { name: "Deleted rule 3", text: "Users “kim” get The old one." },
    { name: "State on beta", text: "same as the flag → on" },
    { name: "Default on beta", text: "same as the flag → On" },
  ]);
  expect(telling(saved).others).toEqual([]);
  const added = entry("rule.created", flag, { flagKey: "new-checkout", ruleType: "attribute", variantValue: "true", ...conditions("ios"), variationNames: { true: "On" } });
  expect(telling(added)).toMatchObject({ changes: [{ name: "Rule", text: "Devices whose platform is ios get On." }], others: [] });
  const byDefault = entry("env_setting.updated", flag, { channelName: "beta", defaultValue: { before: null, after: "false" }, variationNames: { false: "Off" } });
  expect(telling(byDefault).changes).toEqual([{ name: "Default", text: "none → Off" }]);
  const share = entry("update.patched", { ...flag, kind: "release" }, { rolloutPercentage: { before: 10, after: 50 } });
  expect(telling(share).changes).toEqual([{ name: "Rollout percentage", text: "10% → 50%" }]);
});

it("shows details that it does not know without JSON", () => {
  const { others } = telling(entry("policy.created", { kind: "policy", id: "9", name: "careful", exists: true }, {
    name: "careful", stages: [{ percentage: 25, minDurationMinutes: 10 }], someDetail: { inner: [1, 2] }, isActive: true, channel: null,
  }));
  expect(others).toEqual([
    { name: "Stages", text: "Percentage: 25%; Minimum minutes: 10" },
    { name: "Some detail", text: "Inner: 1, 2" },
    { name: "Active", text: "on" },
  ]);
});

it("links to the page of a record that exists", () => {
  expect(pageOf(flag, "acme")).toEqual({ to: "/$project/flags/$id", params: { project: "acme", id: "21" } });
  expect(pageOf({ ...flag, exists: false }, "acme")).toBeNull();
  expect(pageOf({ kind: "segment", id: "3", name: "testers", exists: true }, "acme")).toEqual({ to: "/$project/segments", params: { project: "acme" }, search: { search: "testers" } });
  expect(pageOf({ kind: "session", id: "3", name: "", exists: true }, "acme")).toBeNull();
});
