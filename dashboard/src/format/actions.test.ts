// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { actorName, actorTitle, shareChange } from "./actions";

it("names the root key and Waft as people know them, within a sentence and at its beginning", () => {
  for (const root of ["root", "the root key"]) expect([actorName(root), actorTitle(root)]).toEqual(["the root key", "The root key"]);
  expect([actorName("system"), actorTitle("system")]).toEqual(["Waft", "Waft"]);
  expect([actorName("ci"), actorTitle("sam@acme.test")]).toEqual(["ci", "sam@acme.test"]);
});

it("returns the change of the rollout percentage", () => {
  expect(shareChange({ rolloutPercentage: { before: 10, after: 50 } })).toBe("10% → 50%");
  expect(shareChange({ rolloutPercentage: 50 })).toBeNull();
  expect(shareChange({})).toBeNull();
});
