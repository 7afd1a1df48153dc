import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { strings } from "@/strings";
import { Button } from "./Button";
import { ChartTable } from "./ChartTable";
import { lastKnown } from "./chartText";
import { Legend } from "./Legend";
import { loadCode } from "./loadCode";
import { saveCSV } from "./saveChart";
import { Placeholder } from "./Panel";

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

// uPlot is loaded with the first chart.
const Plot = lazy(() => loadCode(() => import("./Plot")));

/** A chart over time, with the same data as a table, and both to save. */
export function Chart(props: ChartProps) {
  const [asTable, setAsTable] = useState(false);
  const [save, setSave] = useState<(() => void) | null>(null);
  // The place of the cursor in the times.
  const [at, setAt] = useState<number | null>(null);
  const height = props.height ?? 220;
  if (props.times.length === 0) return <p className="py-8 text-center text-muted">{strings.chart.noData}</p>;
  return (
    <figure className="min-w-0">
      {asTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          <div role="img" aria-label={summary(props)} style={{ minHeight: height }}>
            <Suspense fallback={<Placeholder />}>
              <Plot {...props} height={height} onReady={(png) => setSave(() => png)} onPoint={setAt} />
            </Suspense>
          </div>
          <Legend chart={props} at={at !== null && at < props.times.length ? at : null} />
        </>
      )}
      <figcaption className="mt-1 flex flex-wrap items-center justify-end gap-1">
        <Button size="sm" kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? strings.chart.chart : strings.chart.table}
        </Button>
        {!asTable && (
          // There is nothing to save before the chart is drawn. The button has its place already, so that the others stay where they are.
          <Button size="sm" kind="quiet" icon={<Download size={12} aria-hidden />} busy={!save} onClick={() => save?.()}>
            {strings.chart.png}
          </Button>
        )}
        <Button size="sm" kind="quiet" icon={<Download size={12} aria-hidden />} onClick={() => saveCSV(props)}>
          {strings.chart.csv}
        </Button>
      </figcaption>
    </figure>
  );
}

function summary({ title, series, format, formatRight }: ChartProps): string {
  const latest = series.map((each) => {
    return `${each.label} ${(each.side === "right" && formatRight ? formatRight : format)(lastKnown(each.values))}`;
  });
  return `${title}: ${latest.join(", ")}`;
}
