import { strings } from "@/strings";
import type { ChartProps } from "./chartProps";
import { timeOf } from "./chartText";

/** Shows the chart's data as a table: times newest first, categories in their order. */
export function ChartTable(props: ChartProps) {
  const { title, times, categories, series, format, formatRight } = props;
  const rows = times.map((_, index) => index);
  if (!categories) rows.reverse();
  return (
    <div className="max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={title}>
      <table className="w-full text-xs tabular-nums">
        <thead className="sticky top-0 bg-panel text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 text-left font-medium">
              {categories?.title ?? strings.chart.time}
            </th>
            {series.map((each) => (
              <th key={each.label} scope="col" className="py-1 pl-3 text-right font-medium">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((index) => (
            <tr key={times[index]} className="border-t">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                {categories ? categories.names[index] : timeOf(props, index)}
              </th>
              {series.map((each) => (
                <td key={each.label} className="py-1 pl-3 text-right">
                  {(each.side === "right" && formatRight ? formatRight : format)(each.values[index] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
