import { expect, it } from "vitest";
import { shareChange } from "./actions";

it("returns the change of the rollout percentage", () => {
  expect(shareChange({ rolloutPercentage: { before: 10, after: 50 } })).toBe("10% → 50%");
  expect(shareChange({ rolloutPercentage: 50 })).toBeNull();
  expect(shareChange({})).toBeNull();
});
