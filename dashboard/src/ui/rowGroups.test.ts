import { expect, test } from "vitest";
import { rowGroups } from "./rowGroups";

test("neighboring rows with the same key are a group; rows apart are not", () => {
  const rows = ["a1", "a2", "b1", "a3"];
  expect(rowGroups(rows, (row) => row.charAt(0))).toEqual([["a1", "a2"], ["a1", "a2"], ["b1"], ["a3"]]);
  expect(rowGroups(rows)).toEqual([["a1"], ["a2"], ["b1"], ["a3"]]);
  expect(rowGroups([])).toEqual([]);
});
