import type { ChartProps } from "./chartProps";
import { colourName, colourOf } from "./chartColours";
import { csvOf, timeOf } from "./chartText";

/** Saves a chart's data as CSV. */
export function saveCSV(chart: ChartProps) {
  save(new Blob([csvOf(chart)], { type: "text/csv;charset=utf-8" }), chart.title, "csv");
}

const inset = 16;
const titleHeight = 40;
const rowHeight = 20;

/** Saves a chart as PNG with its title, times, plot and series names, in the current colours. */
export function savePNG(plot: HTMLCanvasElement, chart: ChartProps) {
  const scale = devicePixelRatio;
  const copy = document.createElement("canvas");
  const context = copy.getContext("2d");
  if (!context) return;
  const width = Math.max(plot.width / scale, 320);
  context.font = font(11);
  const legend = placed(context, chart, width);
  copy.width = (width + 2 * inset) * scale;
  copy.height = (inset + titleHeight + legend.height + inset) * scale + plot.height;
  context.scale(scale, scale);
  context.fillStyle = colourOf("panel");
  context.fillRect(0, 0, copy.width, copy.height);
  context.translate(inset, inset);
  context.textBaseline = "top";
  context.fillStyle = colourOf("ink");
  context.font = font(14, 600);
  context.fillText(chart.title, 0, 0);
  context.fillStyle = colourOf("muted");
  context.font = font(11);
  if (!chart.categories) context.fillText(`${timeOf(chart, 0)} – ${timeOf(chart, chart.times.length - 1)}`, 0, 20);
  context.drawImage(plot, 0, titleHeight, plot.width / scale, plot.height / scale);
  context.translate(0, titleHeight + plot.height / scale);
  legend.names.forEach(({ x, y }, index) => {
    const series = chart.series[index];
    if (!series) return;
    context.strokeStyle = context.fillStyle = colourOf(colourName(series, index));
    context.setLineDash(series.shape === "dashed" ? [4, 3] : series.shape === "dotted" ? [2, 2] : []);
    context.lineWidth = 2;
    if (chart.stacked || series.shape === "area" || series.shape === "bars") context.fillRect(x, y + 6, 8, 8);
    else {
      context.beginPath();
      context.moveTo(x, y + 10);
      context.lineTo(x + 12, y + 10);
      context.stroke();
    }
    context.fillStyle = colourOf("muted");
    context.fillText(series.label, x + 16, y + 4);
  });
  copy.toBlob((blob) => blob && save(blob, chart.title, "png"));
}

/** Returns the positions of the series names, in lines below the plot. */
function placed(context: CanvasRenderingContext2D, { series }: ChartProps, width: number) {
  let [x, y] = [0, 0];
  const names = series.map(({ label }) => {
    const needed = context.measureText(label).width + 32;
    if (x > 0 && x + needed > width) [x, y] = [0, y + rowHeight];
    const place = { x, y };
    x += needed;
    return place;
  });
  return { names, height: y + rowHeight };
}

function font(pixels: number, weight = 400): string {
  return `${weight} ${pixels}px system-ui, sans-serif`;
}

function save(blob: Blob, title: string, extension: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
