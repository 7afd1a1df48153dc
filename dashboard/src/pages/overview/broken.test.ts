// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Stream } from "@/api/overview";
import { brokenPublishes, stillRun, whatIsWrong, type Broken } from "./broken";

const healthy: Broken["health"] = {
  release: { updateId: 7, groupId: "a", releaseMessage: "Bad", runtimeVersion: "1.0.0" } as Broken["health"]["release"],
  updateId: 7,
  updateUuid: "6b0c4b9e-5b1a-4c6f-9d59-1f8a3ce2d001",
  devices: 310,
  crashFreePercentage: 99,
  crashRate: 1,
  errorRate: 1,
  crashLimit: { rate: 2, source: "policy" },
  errorLimit: { rate: 5, source: "policy" },
};
const incident = { devices: 400, errorRate: 15, baselineErrorRate: 0.5 } as Broken["incident"];

test("the figure of a broken release has its limit and the devices that it is a percentage of", () => {
  expect(whatIsWrong({ health: { ...healthy, crashFreePercentage: 84, crashRate: 16 }, incident })).toBe("Crash-free 84% of 310 devices in 24 hours, below the limit of 98%");
  expect(whatIsWrong({ health: { ...healthy, errorRate: 15 }, incident })).toBe("Errors on 15% of 310 devices in 24 hours, above the limit of 5%");
  expect(whatIsWrong({ health: healthy, incident })).toBe("Errors on 15% of 400 devices in the last hour, 0.5% before");
  const unknown = { ...healthy, devices: null, crashFreePercentage: null, crashRate: null, errorRate: null };
  expect(whatIsWrong({ health: unknown, incident })).toBe("Errors on 15% of 400 devices in the last hour, 0.5% before");
  expect(whatIsWrong({ health: unknown, incident: null })).toBe("");
});

const row = (platform: string, ...broken: object[]) => ({ channel: "production", platform, runtimeVersion: "1.0.0", devices: 1204, broken }) as unknown as Stream;
const broken = (updateId: number, groupId: string, isServed: boolean) => ({ isServed, health: { ...healthy, updateId, release: { ...healthy.release, groupId } } });

test("the platforms of one publish are one card, and a release that devices still get comes first", () => {
  const rows = [row("ios", broken(9, "b", false), broken(7, "a", true)), row("android", broken(8, "a", false)), row("web")];
  expect(brokenPublishes(rows).map(({ id, lines }) => [id, lines.map((line) => line.broken.health.updateId)])).toEqual([
    ["a", [7, 8]],
    ["b", [9]],
  ]);
});

test("the devices that still run a broken release have their denominator", () => {
  const line = (distribution: object[] | null) => ({ row: { ...row("ios"), distribution } as Stream, broken: broken(7, "a", false) as Broken });
  expect(stillRun(line([{ updateId: 7, devices: 24 }]))).toBe("24 of 1,204 devices run it.");
  expect(stillRun(line([]))).toBe("0 of 1,204 devices run it.");
  expect(stillRun(line(null))).toBe("");
});
