import type { Schemas } from "@/api/client";
import type { Series } from "@/ui/chartProps";
import { strings } from "./strings";

/** Returns evaluations per day by value. Every day from the first to the last has a number, 0 if there were none. */
export function evaluationSeries(data: Schemas["FlagEvaluations"]): { times: number[]; series: Series[] } {
  const day = 86_400_000;
  const dates = data.daily.map(({ date }) => Date.parse(date));
  if (dates.length === 0) return { times: [], series: [] };
  const first = Math.min(...dates);
  // The chart starts at least a day before the last day, because it cannot draw a single day.
  const start = Math.min(first, Math.max(...dates) - day);
  const times = Array.from({ length: (Math.max(...dates) - start) / day + 1 }, (_, index) => start + index * day);
  const values = [...new Set([...data.variations.filter(({ count }) => count > 0).map(({ value }) => value), ...data.daily.map(({ value }) => value)])];
  const series = values.slice(0, 6).map((value) => ({
    label: data.variations.find((each) => each.value === value)?.name || (value === "(other)" ? strings.health.other : value),
    values: times.map((at) => data.daily.filter((each) => each.value === value && Date.parse(each.date) === at).reduce((sum, each) => sum + each.count, 0)),
  }));
  return { times, series };
}
