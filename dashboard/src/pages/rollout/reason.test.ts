// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { setPreferences } from "@/format/preferences";
import { reasonOf, reasonOfEvent } from "./reason";

const stages = [{ percentage: 5 }, { percentage: 100 }] as Schemas["Stage"][];
const until = "2026-03-05T07:00:00.000Z";
const rollout = { stages, stageIndex: 0, wait: null, reason: "stage 1 of 2 (5%) is held: 2026-03-05 07:00:00 UTC is part of a name" };

test("a reason with a time shows the time in the person's zone, and other reasons are shown as they are", () => {
  setPreferences({ zone: "utc" });
  const at = (kind: "start" | "freeze" | "stage") => reasonOf({ ...rollout, wait: { kind, until } });
  expect(at("start")).toBe("Begins at 5 Mar 2026, 07:00:00 UTC");
  expect(at("stage")).toBe("Stage 1 of 2 (5%) runs until at least 5 Mar 2026, 07:00:00 UTC");
  expect(at("freeze")).toBe("Stage 1 of 2 (5%) is done; a freeze window holds the next stage until 5 Mar 2026, 07:00:00 UTC");
  expect(reasonOf(rollout)).toBe("Stage 1 of 2 (5%) is held: 2026-03-05 07:00:00 UTC is part of a name");
  setPreferences({ zone: "local" });
});

test("an event shows the end of its freeze, or of the stage's minimum time", () => {
  setPreferences({ zone: "utc" });
  const event = { toStage: 0, heldUntil: until, runsUntil: null, reason: "frozen" } as Schemas["RolloutEvent"];
  expect(reasonOfEvent(rollout, event)).toContain("freeze window holds the next stage until 5 Mar 2026, 07:00:00 UTC");
  const released = { ...event, heldUntil: null, runsUntil: until, reason: "stage 1 of 2 (5%) runs until at least 2026-03-05 07:00:00 UTC" };
  expect(reasonOfEvent(rollout, released)).toBe("Stage 1 of 2 (5%) runs until at least 5 Mar 2026, 07:00:00 UTC");
  expect(reasonOfEvent(rollout, { ...released, runsUntil: null, reason: "frozen" })).toBe("Frozen");
  setPreferences({ zone: "local" });
});
