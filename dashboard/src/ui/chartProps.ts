export interface Series {
  label: string;
  values: (number | null)[];
  /** 1 to 6, or a state; in the order of the series unless given. */
  colour?: 1 | 2 | 3 | 4 | 5 | 6 | "ok" | "warn" | "bad" | "muted";
  /** A filled area, a line (default), dashed steps for a limit, steps, or bars, which stand side by side. */
  shape?: "area" | "line" | "dashed" | "steps" | "bars";
  /** The scale it is drawn on: the left one (default), or the right. */
  side?: "left" | "right";
}

export interface Mark {
  /** Milliseconds. */
  at: number;
  label: string;
  tone?: "info" | "bad";
}

export interface ChartProps {
  /** What it shows; also the file's name when it is saved. */
  title: string;
  /** Milliseconds, rising, one for each value of each series; 0, 1, 2 and so on when there are categories. */
  times: number[];
  /** The times are days of UTC, whatever zone is chosen. */
  areDays?: boolean;
  /** What each value is of, in place of a time. */
  categories?: { title: string; names: string[] };
  series: Series[];
  /** Renders a value of the left scale, in the legend and the table. */
  format: (value: number | null) => string;
  formatRight?: (value: number | null) => string;
  /** What the left scale counts, such as `devices`: written above it, and in the saved columns. */
  unit?: string;
  unitRight?: string;
  /** The left scale is divided by powers of two. */
  areBytes?: boolean;
  /** A logarithmic left scale. */
  log?: boolean;
  /** Areas stand on each other. */
  stacked?: boolean;
  /** The left scale's ends, in place of those of the data. */
  range?: [min: number | null, max: number | null];
  marks?: Mark[];
  /** Pixels. */
  height?: number;
  /** Charts with the same key share their cursor. */
  sync?: string;
}
