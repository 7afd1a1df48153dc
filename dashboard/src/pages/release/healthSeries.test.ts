// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { crashFreeSeries } from "./healthSeries";

it("draws the error rate unlike the crash-free lines, whatever colours the releases have", () => {
  const { series } = crashFreeSeries([], [], "Before · 1.0.0", ["release-7", "release-2"]);
  expect(series.map(({ label, shape = "line" }) => [label, shape])).toEqual([
    ["Crash-free devices", "line"],
    ["Crash-free devices, Before · 1.0.0", "line"],
    ["Error rate (right)", "dotted"],
  ]);
});
