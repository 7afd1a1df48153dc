import type { Schemas } from "@/api/client";
import type { Series } from "@/ui/chartProps";
import { strings } from "./strings";

type Point = Schemas["TimeseriesPoint"];

/**
 * Returns chart series for the crash-free percentages of a release and the previous release, and for the release's error rate. A
 * time bucket without devices is unknown. The error rate is dotted, because the colours of some releases look like its colour.
 */
export function crashFreeSeries(points: Point[], before: Point[], previousName: string | null, colours: [own?: Series["colour"], previous?: Series["colour"]] = []) {
  const known = new Map(before.map((point) => [point.time, point]));
  const value = (point: Point | undefined) => (point && point.devices > 0 ? point.crashFreePercentage : null);
  const series: Series[] = [{ label: strings.charts.crashFree, values: points.map(value), colour: colours[0] ?? "ok" }];
  if (previousName !== null) {
    series.push({ label: strings.charts.previous(previousName), values: points.map((point) => value(known.get(point.time))), colour: colours[1] ?? "muted" });
  }
  const lowest = Math.min(100, ...series.flatMap((each) => each.values.filter((value) => value !== null)));
  series.push({ label: strings.charts.errorRate, values: points.map((point) => (point.devices > 0 ? point.errorRate : null)), colour: "warn", shape: "dotted", side: "right" });
  return {
    times: points.map((point) => Date.parse(point.time)),
    series,
    // Relevant differences are near 100%, so the scale begins just below the lowest value.
    range: [Math.max(0, Math.floor(lowest - Math.max(1, (100 - lowest) * 0.2))), 100] as [number, number],
  };
}
