// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { adoptionSeries } from "./adoptionSeries";

const ids = ["a", "b", "c", "d", "e", "f"];

const nameOf = (updateUuid: string | null) => {
  const updateId = ids.indexOf(updateUuid ?? "") + 1;
  if (updateId === 0 || updateUuid === null) return null;
  return { updateId, updateUuid, groupId: "", kind: "update" as const, platform: "ios" as const, releaseMessage: `Release ${updateId}`, runtimeVersion: "1.0" };
};

const of = (adoption: [date: string, updateUuid: string | null, devices: number][]): Schemas["Adoption"] => ({
  adoption: adoption.map(([date, updateUuid, devices]) => ({ date, updateUuid, updateId: ids.indexOf(updateUuid ?? "") + 1 || null, release: nameOf(updateUuid), devices })),
  days: 7,
  distribution: [],
  downloads: 0,
  downloadsByDay: ["2026-11-01", "2026-11-02", "2026-11-03"].map((date) => ({ date, downloads: 0, devices: 0 })),
  exact: true,
  releasesTracked: 1,
  totalActiveDevices: 1,
});

test("each day has every release, and a day without devices is 0", () => {
  const { times, series } = adoptionSeries(of([["2026-11-01", "a", 5], ["2026-11-03", "b", 7], ["2026-11-03", null, 2]]));
  expect(times.map((time) => new Date(time).getUTCDate())).toEqual([1, 2, 3]);
  expect(series.map(({ label, values }) => [label, values])).toEqual([
    ["Release 2 · 1.0", [0, 0, 7]],
    ["Release 1 · 1.0", [5, 0, 0]],
    ["Embedded", [0, 0, 2]],
  ]);
});

test("beyond four, releases share a series, and no device is lost", () => {
  const { series } = adoptionSeries(of([["2026-11-01", "a", 1], ["2026-11-01", "b", 2], ["2026-11-01", "c", 3], ["2026-11-01", "d", 4], ["2026-11-01", "e", 5], ["2026-11-01", "f", 6], ["2026-11-01", "g", 7]]));
  expect(series.map(({ label }) => label)).toEqual(["g", "Release 6 · 1.0", "Release 5 · 1.0", "Release 4 · 1.0", "Other releases"]);
  expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(28);
});

test("without a report nothing is drawn", () => {
  expect(adoptionSeries(of([]))).toEqual({ times: [], series: [] });
});

test("a release keeps its colour when another one overtakes it", () => {
  const colourOf = (label: string, rows: Parameters<typeof of>[0]) => adoptionSeries(of(rows)).series.find((each) => each.label === label)?.colour;
  const behind = colourOf("Release 1 · 1.0", [["2026-11-01", "a", 1], ["2026-11-01", "b", 9]]);
  expect(behind).toMatch(/^release-/);
  expect(colourOf("Release 1 · 1.0", [["2026-11-01", "a", 9], ["2026-11-01", "b", 1]])).toBe(behind);
});
