import { expect, test } from "vitest";
import { shareOf } from "./share";

test("a rollout percentage is a number from 0 to 100", () => {
  expect(shareOf("12.5")).toBe(12.5);
  expect(shareOf("0")).toBe(0);
  for (const bad of ["", " ", "-1", "100.1", "many"]) expect(shareOf(bad)).toBeNull();
});
