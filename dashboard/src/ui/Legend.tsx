import { strings } from "@/strings";
import type { ChartProps, Series } from "./chartProps";
import { colourName } from "./chartColours";
import { lastKnown, timeOf } from "./chartText";
import { cx } from "./cx";

/** Shows the series of a chart with their values at an index of its times, or the latest values if the index is null. */
export function Legend({ chart, at }: { chart: ChartProps; at: number | null }) {
  const { times, categories, series } = chart;
  const shown = at ?? times.length - 1;
  const heading = categories
    ? at !== null && `${categories.title} ${categories.names[at] ?? strings.unknown}`
    : at === null
      ? strings.chart.latest(timeOf(chart, shown))
      : timeOf(chart, at);
  return (
    <div className="mt-1 pl-1 text-2xs text-muted tabular-nums">
      <p className="min-h-4">{heading}</p>
      <ul className="flex flex-wrap gap-x-3">
        {series.map((each, index) => {
          const value = at === null ? lastKnown(each.values) : (each.values[at] ?? null);
          const format = each.side === "right" && chart.formatRight ? chart.formatRight : chart.format;
          return (
            <li key={each.label} className="flex items-center gap-1 py-0.5">
              <Marker series={each} index={index} isStacked={Boolean(chart.stacked)} />
              {each.label}
              {!(categories && at === null) && <span className="inline-block min-w-9 text-ink">{format(value)}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const strokes: Partial<Record<NonNullable<Series["shape"]>, string>> = { dashed: "w-5 border-dashed", dotted: "w-5 border-dotted" };

/** A sample of how the series is drawn: an area, a line, or a dashed or dotted line. */
function Marker({ series, index, isStacked }: { series: Series; index: number; isStacked: boolean }) {
  const colour = `var(--color-${colourName(series, index)})`;
  const isArea = isStacked || series.shape === "area" || series.shape === "bars";
  return (
    <span
      aria-hidden
      className={cx("shrink-0", isArea ? "size-2 rounded-xs" : cx("border-t-2", strokes[series.shape ?? "line"] ?? "w-3"))}
      style={isArea ? { backgroundColor: colour } : { borderColor: colour }}
    />
  );
}
