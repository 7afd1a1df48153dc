import type { Schemas } from "@/api/client";
import type { Series } from "@/ui/chartProps";
import { strings } from "./strings";

type Point = Schemas["TimeseriesPoint"];

/**
 * Crash-free percentages of a release and of the one before it, and the release's share of devices with an error, on one axis of
 * time. A bucket without devices is unknown.
 */
export function crashFreeSeries(points: Point[], before: Point[], previousId: number | null) {
  const known = new Map(before.map((point) => [point.time, point]));
  const value = (point: Point | undefined) => (point && point.devices > 0 ? point.crashFreePercentage : null);
  const series: Series[] = [{ label: strings.charts.crashFree, values: points.map(value), colour: "ok" }];
  if (previousId !== null) {
    series.push({ label: strings.charts.previous(previousId), values: points.map((point) => value(known.get(point.time))), colour: "muted" });
  }
  const lowest = Math.min(100, ...series.flatMap((each) => each.values.filter((value) => value !== null)));
  series.push({ label: strings.charts.errorRate, values: points.map((point) => (point.devices > 0 ? point.errorRate : null)), colour: "warn", side: "right" });
  return {
    times: points.map((point) => Date.parse(point.time)),
    series,
    // What matters happens near 100 %, so the scale begins just below the lowest value.
    range: [Math.max(0, Math.floor(lowest - Math.max(1, (100 - lowest) * 0.2))), 100] as [number, number],
  };
}
