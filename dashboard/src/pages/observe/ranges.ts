import type { errorRanges } from "@/search/pages";

export type Range = (typeof errorRanges)[number];

/** The selectable windows, in hours. */
const ranges: Record<Range, number> = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 };

/** Returns the start of the window, at a full minute, so that the same query has the same address. */
export function beginOf(range: Range, now = Date.now()): string {
  const minute = 60_000;
  return new Date(Math.floor((now - ranges[range] * 60 * minute) / minute) * minute).toISOString();
}
