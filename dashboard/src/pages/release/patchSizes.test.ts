import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { patchSizes } from "./patchSizes";

const patch = (of: Partial<Schemas["UpdatePatch"]>): Schemas["UpdatePatch"] => ({
  baseRelease: null,
  baseUpdateId: 1,
  baseUpdateUuid: "",
  compressedBytes: 600,
  durationMs: 1,
  fullBytes: 1000,
  reason: "",
  sizeBytes: 20,
  status: "offered",
  ...of,
});

test("offered patches are listed with the smallest full download, oldest base first", () => {
  const { categories, series, times } = patchSizes([
    patch({ baseUpdateId: 12, sizeBytes: 30 }),
    patch({ baseUpdateId: 11, status: "skipped", sizeBytes: 0 }),
    patch({ baseUpdateId: null, sizeBytes: 50 }),
    patch({ baseUpdateId: 9, compressedBytes: 0 }),
  ]);
  expect(times).toEqual([0, 1, 2]);
  expect(categories?.names).toEqual(["Embedded", "#9", "#12"]);
  expect(series.map(({ values }) => values)).toEqual([
    [50, 20, 30],
    [600, 1000, 600],
  ]);
});
