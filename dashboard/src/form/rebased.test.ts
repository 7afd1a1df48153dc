import { expect, it } from "vitest";
import { rebased } from "./rebased";

it("keeps edited values, and uses stored values for the rest", () => {
  const base = { name: "a", note: "", stages: [1, 2] };
  expect(rebased(base, { ...base, stages: [1, 3] }, { name: "b", note: "theirs", stages: [5] })).toEqual({ name: "b", note: "theirs", stages: [1, 3] });
});
