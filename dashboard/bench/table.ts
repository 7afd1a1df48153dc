import { expect } from "@playwright/test";

export const rounds = Number(process.env.WAFT_BENCH_ROUNDS ?? 7);

/** Row is one measurement and its baseline, in milliseconds. */
export interface Row {
  what: string;
  took: number[];
  beside: string;
  baseline: number[];
  /** The largest ratio of the medians that is not a fault. */
  limit: number;
}

function quantile(of: number[], share: number): number {
  const sorted = of.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}

/** In the short form of the benchmark no ratio is a fault. */
const short = Boolean(process.env.WAFT_BENCH_SHORT);

/** Prints the table, and fails for ratios beyond their limits. */
export function print(rows: Row[]) {
  const lines = rows.map(({ what, took, beside, baseline, limit }) => {
    const [middle, base] = [quantile(took, 0.5), quantile(baseline, 0.5)];
    const ratio = middle === base ? 1 : middle / base; // Both are 0 if a page shows the change before the response to it.
    expect.soft(ratio, what).toBeLessThanOrEqual(short ? Infinity : limit);
    return `| ${what} | ${middle.toFixed(0)} | ${quantile(took, 0.95).toFixed(0)} | ${base.toFixed(0)} | ${beside} | ${ratio.toFixed(1)} | ${limit} |`;
  });
  console.log(["", "| | median ms | p95 ms | baseline ms | beside | ratio of medians | at most |", "|---|---|---|---|---|---|---|", ...lines, ""].join("\n"));
}
