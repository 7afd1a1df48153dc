// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { bytes, count, percent } from "@/format/format";
import { csvOf, ticksOf } from "./chartText";

const noon = Date.parse("2026-11-23T12:00:00Z");

describe("csvOf", () => {
  it("has the time in UTC and the unit of each column", () => {
    const series = [
      { label: "Crash rate", values: [0.5, null] },
      { label: "Share, so far", values: [10, 100], side: "right" as const },
    ];
    expect(csvOf({ times: [noon, noon + 60_000], series, unit: "% of devices", unitRight: "%" })).toBe(
      'Time (UTC),Crash rate (% of devices),"Share, so far (%)"\r\n2026-11-23T12:00:00.000Z,0.5,10\r\n2026-11-23T12:01:00.000Z,,100\r\n',
    );
  });
  it("has days without a time", () => {
    expect(csvOf({ times: [Date.parse("2026-11-23")], series: [{ label: "Release 7", values: [3] }], areDays: true, unit: "devices" })).toBe("Day (UTC),Release 7 (devices)\r\n2026-11-23,3\r\n");
  });
  it("has categories, and escapes formulas in them", () => {
    expect(csvOf({ times: [0], categories: { title: "From", names: ["=1+1"] }, series: [{ label: "Patch", values: [12] }] })).toBe("From,Patch\r\n'=1+1,12\r\n");
  });
});

describe("ticksOf", () => {
  it("has whole ticks for counts, so that none is shown twice", () => {
    const ticks = ticksOf({ format: count }) ?? [];
    expect(ticks.slice(0, 6)).toEqual([1, 2, 5, 10, 20, 50]);
    expect(ticks.every(Number.isInteger)).toBe(true);
    expect(ticksOf({ format: percent })).toBeUndefined();
    expect(ticksOf({ format: bytes, areBytes: true })?.[10]).toBe(1024);
  });
});
