// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { patchSizes } from "./patchSizes";

const named = (updateId: number) => ({ updateId, updateUuid: "", groupId: "", kind: "update" as const, platform: "ios" as const, runtimeVersion: "1.0", releaseMessage: `Week ${updateId}` });

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
    patch({ baseUpdateId: 12, baseRelease: named(12), sizeBytes: 30 }),
    patch({ baseUpdateId: 11, status: "skipped", sizeBytes: 0 }),
    patch({ baseUpdateId: null, sizeBytes: 50 }),
    patch({ baseUpdateId: 9, baseRelease: named(9), compressedBytes: 0 }),
  ]);
  expect(times).toEqual([0, 1, 2]);
  expect(categories?.names).toEqual(["Embedded", "Week 9 · 1.0", "Week 12 · 1.0"]);
  expect(series.map(({ values }) => values)).toEqual([
    [50, 20, 30],
    [600, 1000, 600],
  ]);
});
