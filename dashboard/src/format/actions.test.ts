import { expect, it } from "vitest";
import { actionWords, shareChange, subject } from "./actions";

it("puts actions into words, and shows an unknown action by its name", () => {
  expect(actionWords("update.created")).toBe("published");
  expect(actionWords("moon.landed_on")).toBe("moon landed on");
});

it("returns the change of the rollout percentage", () => {
  expect(shareChange({ rolloutPercentage: { before: 10, after: 50 } })).toBe("10% → 50%");
  expect(shareChange({ rolloutPercentage: 50 })).toBeNull();
  expect(shareChange({})).toBeNull();
});

it("names what was changed", () => {
  const entry = { action: "update.created", actorName: "ci", entityId: "7", details: {} };
  expect(subject({ ...entry, details: { releaseMessage: "Faster start" } })).toBe("Faster start");
  expect(subject(entry)).toBe("#7");
  expect(subject({ ...entry, entityId: "production" })).toBe("production");
  expect(subject({ ...entry, actorName: "a@example.com", details: { email: "a@example.com" } })).toBe("");
});
