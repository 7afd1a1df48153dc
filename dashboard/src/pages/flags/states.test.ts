import { expect, it } from "vitest";
import type { Schemas } from "@/api/client";
import { mayBeStale, mayDoHarm, sharesByFlag, stateByFlag } from "./states";

it("shows the worst state of a flag", () => {
  const states = stateByFlag({ stale: [{ id: 1 }, { id: 2 }], degraded: [{ id: 2 }], incident: undefined });
  expect([...states]).toEqual([
    [2, "degraded"],
    [1, "stale"],
  ]);
});

it("adds up devices of a variation over releases and channels", () => {
  const impact = (flagKey: string, variation: string, devices: number) => ({ flagKey, variation, devices }) as Schemas["FlagImpact"];
  const shares = sharesByFlag([impact("a", "true", 20), impact("a", "false", 60), impact("a", "true", 20), impact("b", "x", 0)]);
  expect(shares.get("a")).toEqual([
    { label: "false", devices: 60, value: 60 },
    { label: "true", devices: 40, value: 40 },
  ]);
  expect(shares.has("b")).toBe(false);
});

it("asks for states only where some flag can have them", () => {
  expect(mayDoHarm([{ erroredDevices: 0, crashedDevices: 0 }])).toBe(false);
  expect(mayDoHarm([{ erroredDevices: 0, crashedDevices: 0 }, { erroredDevices: 0, crashedDevices: 1 }])).toBe(true);
  const now = Date.parse("2026-03-31T00:00:00Z");
  expect(mayBeStale([{ createdAt: "2026-03-02T00:00:00Z" }], now)).toBe(false);
  expect(mayBeStale([{ createdAt: "2026-02-28T00:00:00Z" }], now)).toBe(true);
});
