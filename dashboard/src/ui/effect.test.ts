// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { flagSentence, moveSentence, releaseSentence, rolloutSentence } from "./effect";

const release = {
  updateId: 17,
  kind: "update" as const,
  branchName: "production",
  channel: "production",
  isCritical: false,
  platform: "ios" as const,
  runtimeVersion: "1.0.0",
  releaseMessage: "spring",
  republishedFromId: null,
};

describe("the sentences of a preview", () => {
  it("say which release changes, and how", () => {
    const state = (isEnabled: boolean, rolloutPercentage: number) => ({ isEnabled, rolloutPercentage });
    expect(releaseSentence({ ...release, before: state(true, 5), after: state(false, 5) })).toBe("spring · iOS · 1.0.0: 5% of devices → off");
    expect(releaseSentence({ ...release, updateId: null, before: null, after: state(true, 100) })).toBe(
      "A new release · spring · iOS · 1.0.0: to 100% of devices",
    );
    expect(releaseSentence({ ...release, updateId: null, kind: "rollback_to_embedded", before: null, after: state(true, 100) })).toBe(
      "A new release · spring · iOS · 1.0.0: devices go back to the embedded update",
    );
  });

  it("say whether a release becomes critical", () => {
    const state = (isCritical: boolean) => ({ isEnabled: true, rolloutPercentage: 100, isCritical });
    expect(releaseSentence({ ...release, before: state(false), after: state(true) })).toBe(
      "spring · iOS · 1.0.0: 100% of devices, not critical → 100% of devices, critical",
    );
  });

  it("say which value devices get instead of which", () => {
    expect(moveSentence({ devices: 1, from: false, to: true, fromVariant: "Off", toVariant: "On" })).toBe("1 device: Off → On");
    expect(moveSentence({ devices: 2, from: null, to: 7 })).toBe("2 devices: no value → 7");
  });

  it("say what happens to a rollout and to a flag", () => {
    const named = { updateId: 17, updateUuid: "", groupId: "", kind: "update" as const, platform: "ios" as const, runtimeVersion: "1.0.0", releaseMessage: "spring" };
    const before = { status: "running" as const, stageIndex: 0, percentage: 5 };
    expect(rolloutSentence({ id: 21, updateId: 17, release: named, policyName: "careful", before, after: { ...before, status: "rolled_back" } })).toBe(
      "The rollout of spring · iOS · 1.0.0: running, stage 1, 5% → rolled back, stage 1, 5%",
    );
    expect(rolloutSentence({ id: null, updateId: 17, release: named, policyName: "careful", before: null, after: before })).toBe(
      "A new rollout of spring · iOS · 1.0.0 by careful: running, stage 1, 5%",
    );
    expect(rolloutSentence({ id: null, updateId: null, release: null, policyName: "careful", before: null, after: before })).toBe("A new rollout by careful: running, stage 1, 5%");
    const link = { flagId: 5, flagKey: "checkout", enabled: true, value: "true" };
    expect(flagSentence({ flagId: 5, flagKey: "checkout", updateId: 17, release: named, before: link, after: null })).toBe("checkout on spring · 1.0.0: true → not linked");
    expect(flagSentence({ flagId: 5, flagKey: "checkout", updateId: null, release: null, before: null, after: null })).toBe("checkout: a rule uses this segment");
  });
});
