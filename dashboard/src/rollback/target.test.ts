import { expect, test } from "vitest";
import { callOf, disabledGoals, firstOf, isBothByDefault, listed, mayBeBoth, type Release } from "./target";

function release(id: number, more: Partial<Release> = {}): Release {
  return { id, kind: "update", isEnabled: true, platform: "ios", runtimeVersion: "1.0.0", branchName: "production", rolloutExecutionId: null, ...more } as Release;
}

const bad = release(20);
const android = { platform: "android" } as const;

test("both platforms are rolled back in one call", () => {
  const target = { kind: "release", release: release(10) } as const;
  const others = { partner: release(21, android), counterpart: release(11, { ...android, runtimeVersion: "1.1.0" }) };
  expect(isBothByDefault(target, others)).toBe(true);
  expect(callOf(bad, "production", target, others, true)).toEqual({
    of: "channel",
    body: {
      channel: "production",
      platform: "ios",
      runtimeVersion: "1.0.0",
      rollbackToUpdateId: 10,
      others: [{ platform: "android", runtimeVersion: "1.1.0", rollbackToUpdateId: 11 }],
    },
  });
  expect(callOf(bad, "production", { kind: "embedded" }, others, true)).toEqual({
    of: "channel",
    body: { channel: "production", platform: "ios", runtimeVersion: "1.0.0", others: [{ platform: "android", runtimeVersion: "1.0.0" }] },
  });
  expect(callOf(bad, "production", target, others, false).body).not.toHaveProperty("others");
});

test("the newest release with other files is the default, and is listed below newer copies", () => {
  const [copy, original, older] = [release(19), release(10), release(9)];
  expect(firstOf([older], [copy, original])).toBe(older);
  expect(firstOf([], [copy, original])).toBe(copy);
  expect(firstOf([], [])).toBeUndefined();
  expect(listed([copy, original], older, "")).toEqual([copy, original, older]);
  expect(listed([copy, original], copy, "")).toEqual([copy, original]);
  expect(listed([original], older, "orig")).toEqual([original]);
});

test("a release that was turned off on the other platform is not included by default, and is allowed only by choice", () => {
  const target = { kind: "release", release: release(10) } as const;
  const others = { partner: release(21, android), counterpart: release(11, { ...android, isEnabled: false }) };
  expect(mayBeBoth(target, others)).toBe(true);
  expect(isBothByDefault(target, others)).toBe(false);
  expect(disabledGoals(target, others, false)).toEqual([]);
  expect(callOf(bad, "production", target, others, false).body).not.toHaveProperty("allowDisabled");
  expect(callOf(bad, "production", target, others, true).body).toMatchObject({ allowDisabled: true });
});

test("a platform that is rolled back already is not included by default", () => {
  const others = { partner: release(21, { ...android, isEnabled: false }), counterpart: release(11, android) };
  expect(isBothByDefault({ kind: "release", release: release(10) }, others)).toBe(false);
  expect(isBothByDefault({ kind: "release", release: release(10) }, { ...others, partner: null })).toBe(false);
});

test("an open rollout is undone on both platforms", () => {
  const rolling = release(20, { rolloutExecutionId: 5 });
  const others = { partner: release(21, { ...android, rolloutExecutionId: 6 }), counterpart: null };
  expect(isBothByDefault({ kind: "undo" }, others)).toBe(true);
  expect(callOf(rolling, "production", { kind: "undo" }, others, true)).toEqual({ of: "rollout", id: 5, body: { scope: "release", allPlatforms: true } });
  expect(mayBeBoth({ kind: "flag", flagId: 3 }, others)).toBe(false);
  expect(callOf(rolling, null, { kind: "channel" }, others, false)).toEqual({ of: "rollout", id: 5, body: { scope: "channel" } });
});
