// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { evaluationSeries } from "./evaluationSeries";

it("has a number for every day between the first and the last", () => {
  const { times, series } = evaluationSeries({
    flagKey: "a",
    total: 6,
    lastEvaluatedAt: null,
    variations: [{ name: "On", value: "true", count: 6, percentage: 100 }],
    daily: [
      { date: "2026-11-01", value: "true", count: 4 },
      { date: "2026-11-03", value: "true", count: 2 },
    ],
  });
  expect(times).toHaveLength(3);
  expect(series).toEqual([{ label: "On", values: [4, 0, 2] }]);
});
