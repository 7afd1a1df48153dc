import { expect, it } from "vitest";
import type { Schemas } from "@/api/client";
import { bodyOf, draftOf, flagsOf, isComplete, segmentSentence } from "./draft";

const segment: Schemas["Segment"] = {
  id: 1,
  key: "beta",
  name: "Beta",
  description: "",
  matchType: "any",
  conditions: [
    { id: 1, attribute: "beta", operator: "eq", valuesJson: [true] },
    { id: 2, attribute: "email", operator: "exists", valuesJson: [] },
  ],
  estimatedDevices: null,
  referencedBy: [
    { flagId: 4, flagKey: "a", ruleId: 1 },
    { flagId: 4, flagKey: "a", ruleId: 2 },
  ],
  createdAt: "2026-11-01T00:00:00Z",
  updatedAt: "2026-11-01T00:00:00Z",
};

it("keeps values and their types", () => {
  expect(bodyOf(draftOf(segment), false)).toEqual({
    name: "Beta",
    description: "",
    matchType: "any",
    conditions: [
      { attribute: "beta", operator: "eq", valuesJson: [true] },
      { attribute: "email", operator: "exists", valuesJson: [] },
    ],
  });
  expect(bodyOf({ ...draftOf(segment), key: "b" }, true).key).toBe("b");
});

it("reads as a sentence, and names a flag once", () => {
  expect(segmentSentence(segment)).toBe("beta is true or email is set");
  expect(flagsOf(segment)).toEqual([{ id: 4, key: "a" }]);
  expect(isComplete(draftOf())).toBe(false);
});
