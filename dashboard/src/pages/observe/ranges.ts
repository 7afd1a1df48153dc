/** The selectable windows, in hours. The API's default is one day. */
export const ranges = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const;

export type Range = keyof typeof ranges;

export function rangeOf(text: string): Range {
  return text in ranges ? (text as Range) : "24h";
}

/** Returns the start of the window, at a full minute, so that the same query has the same address. */
export function beginOf(range: Range, now = Date.now()): string {
  const minute = 60_000;
  return new Date(Math.floor((now - ranges[range] * 60 * minute) / minute) * minute).toISOString();
}
