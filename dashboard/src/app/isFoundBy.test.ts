import { expect, it } from "vitest";
import { isFoundBy } from "./isFoundBy";

it("finds a command by its words in any order, and by words that mean the same", () => {
  expect(isFoundBy("Pause the channel production", "production pause")).toBe(true);
  expect(isFoundBy("New flag", "create flag")).toBe(true);
  expect(isFoundBy("New flag", "flag")).toBe(true);
  expect(isFoundBy("Flags", "create flag")).toBe(false);
  expect(isFoundBy("Sign out", "")).toBe(true);
});
