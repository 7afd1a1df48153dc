import { expect, test } from "vitest";
import { devicesByRelease, devicesOn, type Stream } from "./overview";

const row = (channel: string, devices: number, on: Record<number, number>): Stream =>
  ({
    channel,
    platform: "ios",
    runtimeVersion: "1",
    devices,
    distribution: Object.entries(on).map(([id, devices]) => ({ updateId: Number(id), updateUuid: null, devices, percentage: 0 })),
  }) as unknown as Stream;
const release = { id: 7, channel: "production", platform: "ios" as const, runtimeVersion: "1" };

test("devices of a release are counted in all targets that have it", () => {
  const rows = [row("production", 100, { 6: 75, 7: 25 }), row("beta", 10, { 7: 10 }), row("staging", 50, { 6: 50 })];
  expect(devicesOn(release, rows)).toEqual({ devices: 35, all: 110 });
  expect(devicesOn({ ...release, id: 8 }, rows)).toEqual({ devices: 0, all: 100 });
  expect(devicesByRelease(rows)).toEqual(new Map([[6, 125], [7, 35]]));
});

test("devices are unknown while telemetry is unavailable", () => {
  expect(devicesByRelease(undefined)).toBeNull();
  expect(devicesByRelease([{ ...row("production", 1, {}), distribution: null }])).toBeNull();
});
