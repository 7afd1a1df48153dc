// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Stream } from "@/api/overview";
import { channelsOf, publishesOf } from "./publishes";
import { waitsFor } from "./waits";

const row = (channel: string, platform: string, rollout: object | null = null, incidents = 0) => ({ channel, platform, rollout, incidents }) as unknown as Stream;
const rollout = (id: number, groupId: string, more: object = {}) => ({ id, groupId, status: "running", waitingFor: null, startedAt: `2026-11-01T00:00:0${id}Z`, ...more });

test("the platforms of one publish are one card, and a paused publish comes first", () => {
  const rows = [row("production", "ios", rollout(1, "a")), row("beta", "ios", rollout(1, "a")), row("production", "android", rollout(2, "a")), row("staging", "ios", rollout(3, "b", { status: "paused" })), row("old", "ios")];
  expect(publishesOf(rows).map(({ groupId, rollouts }) => [groupId, rollouts.map(({ rollout }) => rollout.id)])).toEqual([
    ["b", [3]],
    ["a", [1, 2]],
  ]);
});

test("channels with an incident come before channels with a rollout, and calm channels come last", () => {
  const rows = [row("calm", "ios"), row("rolling", "ios", rollout(1, "a")), row("broken", "ios", null, 1), row("calm", "android")];
  expect(channelsOf(rows).map(([channel, of]) => [channel, of.length])).toEqual([["broken", 1], ["rolling", 1], ["calm", 2]]);
});

test("a rollout says what it waits for", () => {
  const of = (more: object) =>
    waitsFor(
      {
        status: "running",
        waitingFor: null,
        stageIndex: 0,
        stages: [{ percentage: 25, minDurationMinutes: 60, minDevices: 500 }],
        stageStartedAt: "2026-11-01T00:00:00Z",
        health: { devices: 120 },
        timeline: [],
        reason: "",
        ...more,
      } as never,
      Date.parse("2026-11-01T00:20:00Z"),
    );
  expect(of({ waitingFor: "duration" })).toBe("40 min left; 120 of the minimum of 500 devices");
  expect(of({ stages: [{ percentage: 25 }], waitingFor: "threshold" })).toBe("Held: a rate is above its threshold");
  expect(of({ status: "paused", timeline: [{ event: "paused", actor: "Sam", reason: "two reports" }] })).toBe("Paused by Sam: two reports");
  expect(of({ status: "paused", timeline: [{ event: "paused", actor: "system", reason: "" }] })).toBe("Paused by Waft");
});
