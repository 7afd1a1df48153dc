import type { ReleaseColour } from "./releaseColours";

export interface Series {
  label: string;
  values: (number | null)[];
  /** 1 to 6, the colour of a release, or a state. Defaults to the number of the series. */
  colour?: 1 | 2 | 3 | 4 | 5 | 6 | ReleaseColour | "ok" | "warn" | "bad" | "muted" | "faint";
  /** A filled area, a line (default), a dotted line, dashed steps for a threshold, steps, or bars side by side. */
  shape?: "area" | "line" | "dotted" | "dashed" | "steps" | "bars";
  /** The scale of the series: left (default) or right. */
  side?: "left" | "right";
}

export interface Mark {
  /** Milliseconds. */
  at: number;
  label: string;
  tone?: "info" | "bad";
}

export interface ChartProps {
  /** The chart's title, used as the file name when the chart is saved. */
  title: string;
  /** Times in milliseconds, ascending, one for each value of a series. With categories: 0, 1, 2, … */
  times: number[];
  /** The times are UTC days, whatever zone is chosen. */
  areDays?: boolean;
  /** Categories of the values, for a chart that is not over time. */
  categories?: { title: string; names: string[] };
  series: Series[];
  /** Formats a value of the left scale for the legend and the table. */
  format: (value: number | null) => string;
  formatRight?: (value: number | null) => string;
  /** Unit of the left scale, such as `devices`. Shown above the scale and in the columns of the CSV file. */
  unit?: string;
  unitRight?: string;
  /** The left scale has ticks at powers of two. */
  areBytes?: boolean;
  /** The left scale is logarithmic. */
  log?: boolean;
  /** Areas are stacked. */
  stacked?: boolean;
  /** Minimum and maximum of the left scale. By default they follow the data. */
  range?: [min: number | null, max: number | null];
  marks?: Mark[];
  /** Pixels. */
  height?: number;
  /** Charts with the same key share their cursor. */
  sync?: string;
}
