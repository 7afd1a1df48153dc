import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { strings } from "@/strings";
import { Button } from "./Button";
import type { ChartProps } from "./chartProps";
import { ChartTable } from "./ChartTable";
import { lastKnown } from "./chartText";
import { Legend } from "./Legend";
import { loadCode } from "./loadCode";
import { saveCSV } from "./saveChart";
import { Placeholder } from "./Panel";

// uPlot is loaded with the first chart.
const Plot = lazy(() => loadCode(() => import("./Plot")));

/** Shows a chart over time or categories, which can be viewed as a table and saved as PNG or CSV. */
export function Chart(props: ChartProps) {
  const [asTable, setAsTable] = useState(false);
  const [save, setSave] = useState<(() => void) | null>(null);
  // The index of the time under the cursor.
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
          // Before the chart is drawn it cannot be saved. The button takes its place already, so that the other buttons do not move.
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
