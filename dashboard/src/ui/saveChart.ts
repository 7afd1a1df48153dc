import type { ChartProps } from "./Chart";

/** Saves a chart's data as CSV: the time in UTC or the category, then a column a series; an unknown value is empty. */
export function saveCSV({ title, times, categories, series }: Pick<ChartProps, "title" | "times" | "categories" | "series">) {
  const lines = [[categories?.title ?? "time", ...series.map((each) => each.label)].map(cell).join(",")];
  times.forEach((time, index) => {
    lines.push([categories?.names[index] ?? new Date(time).toISOString(), ...series.map((each) => each.values[index]?.toString() ?? "")].map(cell).join(","));
  });
  save(new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }), title, "csv");
}

/** Saves a canvas as PNG, on the page's own background. */
export function savePNG(canvas: HTMLCanvasElement, title: string, background: string) {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (!context) return;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => blob && save(blob, title, "png"));
}

function save(blob: Blob, title: string, extension: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** Quotes a cell where it has to be; a leading sign of a formula is made text. */
function cell(value: string): string {
  const safe = /^[=+@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
