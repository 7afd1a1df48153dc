import { expect, test } from "vitest";
import { fittingColumns, tracksOf } from "./fittingColumns";

const columns = [
  { id: "name", width: "minmax(10rem, 3fr)" },
  { id: "status", width: "6rem", secondary: true },
  { id: "note", width: "minmax(20rem, 1fr)", secondary: true },
  { id: "count", width: "5rem", secondary: true },
  { id: "actions", width: "3rem" },
];
const shown = (width: number) => fittingColumns(columns, width).map(({ id }) => id);

test("a wide table shows every column, even before its width is known", () => {
  expect(shown(0)).toHaveLength(5);
  // 44rem of columns, four gaps and the padding.
  expect(shown(44 * 16 + 4 * 12 + 24)).toHaveLength(5);
});

test("a secondary column without room is left out, and a narrower one after it may still fit", () => {
  expect(shown(44 * 16 + 4 * 12 + 23)).toEqual(["name", "status", "note", "actions"]);
  expect(shown(600)).toEqual(["name", "status", "count", "actions"]);
});

test("a phone shows only the columns that are not secondary, without minimum widths", () => {
  expect(shown(328)).toEqual(["name", "actions"]);
  expect(tracksOf(columns.slice(0, 1), 328)).toBe("minmax(0, 3fr)");
  expect(tracksOf(columns.slice(0, 2), 900)).toBe("minmax(10rem, 3fr) 6rem");
  expect(tracksOf([{}], 900)).toBe("minmax(0, 1fr)");
});
