import { describe, expect, it } from "vitest";
import type { Schemas } from "@/api/client";
import { candidatesOf, chosenOf, firstTarget } from "./promotion";

const release = (id: number, given: Partial<Schemas["Update"]> = {}) =>
  ({ id, platform: "ios", runtimeVersion: "1.0.0", kind: "update", isEnabled: true, rolloutPercentage: 100, ...given }) as Schemas["Update"];
const target = (of: Schemas["Update"] | null) => ({ release: of }) as Schemas["StreamOverview"];

describe("a promotion", () => {
  it("takes the release that every device has, unless told otherwise", () => {
    const proven = release(12);
    const [ios] = candidatesOf([target(proven)], [release(15, { rolloutPercentage: 5 }), proven]);
    expect(chosenOf(ios!, "proven", {})).toBe("12");
    expect(chosenOf(ios!, "newest", {})).toBe("15");
    expect(chosenOf(ios!, "newest", { [ios!.key]: "3" })).toBe("3");
    expect(chosenOf(ios!, "proven", { [ios!.key]: "" })).toBe("");
  });

  it("has a choice for each platform and runtime version", () => {
    const both = candidatesOf([target(release(12)), target(release(13, { platform: "android" })), target(null)], [release(9, { runtimeVersion: "0.9.0", isEnabled: false })]);
    expect(both.map(({ key, proven }) => [key, proven?.id])).toEqual([
      ["android 1.0.0", 13],
      ["ios 1.0.0", 12],
    ]);
  });

  it("does not choose a release that only a percentage of the devices gets", () => {
    const [ios] = candidatesOf([], [release(15, { rolloutPercentage: 5 })]);
    expect(chosenOf(ios!, "proven", {})).toBe("");
    expect(chosenOf(ios!, "newest", {})).toBe("15");
  });

  it("goes to production first", () => {
    expect(firstTarget("staging", [{ name: "beta" }, { name: "staging" }, { name: "production" }], false)).toBe("production");
    expect(firstTarget("production", [{ name: "production" }, { name: "beta" }], false)).toBe("beta");
    expect(firstTarget("production", [{ name: "production" }, { name: "beta" }], true), "among many channels").toBe("");
    expect(firstTarget("production", [{ name: "production" }], false)).toBe("");
  });
});
