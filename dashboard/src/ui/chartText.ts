import { count, dateTime, dayOf } from "@/format/format";
import { strings } from "@/strings";
import type { ChartProps } from "./chartProps";

/** Formats a time for the chart's legend and table. */
export function timeOf({ times, areDays }: Pick<ChartProps, "times" | "areDays">, index: number): string {
  return (areDays ? dayOf : dateTime)(times[index]);
}

/** Returns the last known value. */
export function lastKnown(values: (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** Returns a series' name with the unit of its values, for places that show plain numbers. */
export function withUnit(label: string, unit: string | undefined): string {
  return unit && unit !== label.toLowerCase() ? `${label} (${unit})` : label;
}

/** Returns the chart's data as CSV: the UTC time, day or category, then a column per series. Unknown values are empty. */
export function csvOf({ times, categories, series, areDays, unit, unitRight }: Pick<ChartProps, "times" | "categories" | "series" | "areDays" | "unit" | "unitRight">): string {
  const first = categories?.title ?? (areDays ? strings.chart.dayColumn : strings.chart.timeColumn);
  const lines = [[first, ...series.map((each) => withUnit(each.label, each.side === "right" ? unitRight : unit))]];
  times.forEach((time, index) => {
    const iso = new Date(time).toISOString();
    lines.push([categories?.names[index] ?? (areDays ? iso.slice(0, 10) : iso), ...series.map((each) => each.values[index]?.toString() ?? "")]);
  });
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}

/** Quotes a cell if needed, and escapes a leading formula sign. */
function cell(value: string): string {
  const safe = /^[=+@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const powersOfTwo = Array.from({ length: 40 }, (_, power) => 2 ** power);
const wholeNumbers = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Returns the distances that ticks of the left scale may have, or undefined for any. A count has whole ticks, even if all counts are small. */
export function ticksOf({ areBytes, format }: Pick<ChartProps, "areBytes" | "format">): number[] | undefined {
  if (areBytes) return powersOfTwo;
  return format === count ? wholeNumbers : undefined;
}
