import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { date, dayOf, tick as tickText, timeOfDay, timeWithSeconds } from "@/format/format";
import { preferences, usePreferences, watchDark } from "@/format/preferences";
import type { ChartProps, Series } from "./chartProps";
import { colourName, colourOf } from "./chartColours";
import { ticksOf } from "./chartText";
import { savePNG } from "./saveChart";

interface Props extends ChartProps {
  height: number;
  /** Receives a function that saves the chart as PNG. */
  onReady: (savePNG: () => void) => void;
  /** Receives the index of the time under the cursor, or null. */
  onPoint: (index: number | null) => void;
}

/** Draws the chart on a canvas. Only Chart uses it. */
export default function Plot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { zone, theme } = usePreferences();
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  // A change of shape creates a new plot. New values are set on the existing plot.
  const shape = JSON.stringify([props.title, props.series.map(({ label, colour, shape, side }) => [label, colour, shape, side]), props.log, props.stacked, props.range, props.marks, props.height, props.sync, props.categories, props.areDays, props.unit, props.unitRight]);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(latest.current, element.clientWidth), data(latest.current), element);
    };
    draw();
    latest.current.onReady(() => {
      const canvas = plot.current?.ctx.canvas;
      if (canvas) savePNG(canvas, latest.current);
    });
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: latest.current.height }));
    resize.observe(element);
    const stopWatching = watchDark(draw);
    return () => {
      stopWatching();
      resize.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, zone, theme]);
  useEffect(() => {
    plot.current?.setData(data(latest.current));
  }, [props.times, props.series]);
  return (
    // The canvas is out of the flow. In the flow, its width would keep the page wide when the screen becomes narrower.
    <div className="relative" style={{ height: props.height }}>
      <div ref={place} className="absolute inset-0" />
    </div>
  );
}

function data({ times, categories, series, stacked }: ChartProps): uPlot.AlignedData {
  const seconds = categories ? times : times.map((time) => time / 1000);
  if (!stacked) return [seconds, ...series.map((each) => each.values)];
  const sums = times.map(() => 0);
  const columns = series.map((each) => each.values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))));
  return [seconds, ...columns];
}

function options(props: Props, width: number): uPlot.Options {
  const faint = colourOf("faint");
  const line = colourOf("line");
  const axis = { stroke: faint, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
  const hasRight = props.series.some((each) => each.side === "right");
  const right = props.formatRight ?? props.format;
  const bands = props.stacked ? props.series.slice(1).map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })) : [];
  // Leaves room for the unit above the plot, and for half of the last time on its right.
  const padding: uPlot.Padding = [props.unit || props.unitRight ? 20 : 8, hasRight ? 0 : 24, 0, 0];
  return {
    width,
    height: props.height,
    padding,
    cursor: { sync: props.sync ? { key: props.sync } : undefined, drag: { x: false, y: false } },
    legend: { show: false },
    bands,
    tzDate: props.areDays || preferences().zone === "utc" ? (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") : undefined,
    scales: {
      x: props.categories ? { time: false, range: [-0.5, props.times.length - 0.5] } : { time: true, range: (_self, min, max) => (max - min < 10 ? [min - 5, max + 5] : [min, max]) },
      left: { distr: props.log ? 3 : 1, range: rangeOf(props) },
      right: { range: (_self, _min, max) => [0, Math.max(max || 0, 1) * 1.1] },
    },
    axes: [
      props.categories ? { ...axis, size: 28, ...categoryAxis(props.categories.names) } : { ...axis, size: 28, ...timeAxis(props) },
      { ...axis, scale: "left", size: 56, ...(props.log ? logAxis(props) : { incrs: ticksOf(props), values: (_self: uPlot, ticks: number[]) => ticks.map((tick) => props.format(tick)) }) },
      ...(hasRight ? [{ ...axis, scale: "right", side: 1 as const, size: 52, grid: { show: false }, values: (_self: uPlot, ticks: number[]) => ticks.map((tick) => right(tick)) }] : []),
    ],
    series: [
      {},
      ...props.series.map((each, index): uPlot.Series => {
        const colour = colourOf(colourName(each, index));
        return {
          scale: each.side === "right" ? "right" : "left",
          stroke: colour,
          width: 1.5,
          dash: dashOf(each.shape),
          fill: each.shape === "area" || each.shape === "bars" || props.stacked ? colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)") : undefined,
          paths: pathsOf(each, props.series),
          points: { show: each.shape !== "bars" && each.values.filter((value) => value !== null).length < 3 },
        };
      }),
    ],
    hooks: {
      draw: [(self) => drawUnits(self, props), (self) => drawMarks(self, props)],
      setCursor: [(self) => props.onPoint(self.cursor.idx ?? null)],
    },
  };
}

/** Returns the lengths of the strokes and gaps of a line, or undefined for a continuous line. */
function dashOf(shape: Series["shape"]): number[] | undefined {
  if (shape === "dashed") return [5, 4];
  return shape === "dotted" ? [2, 3] : undefined;
}

/** Returns how to draw a series. Bars of several series are side by side, and together fill four fifths of a category's width. */
function pathsOf(each: Series, all: Series[]): uPlot.Series.PathBuilder | undefined {
  if (each.shape === "steps" || each.shape === "dashed") return uPlot.paths.stepped?.({ align: 1 });
  if (each.shape !== "bars") return undefined;
  const bars = all.filter(({ shape }) => shape === "bars");
  const width = 0.8 / bars.length;
  const left = -0.4 + width * bars.indexOf(each);
  const inUnitsOfTheScale = 1;
  return uPlot.paths.bars?.({
    disp: {
      x0: { unit: inUnitsOfTheScale, values: () => each.values.map((_, index) => index + left) },
      size: { unit: inUnitsOfTheScale, values: () => each.values.map(() => width * 0.9) },
    },
  });
}

/** Returns an axis with a tick per category, or fewer ticks if the names do not fit. */
function categoryAxis(names: string[]): uPlot.Axis {
  return {
    splits: () => names.map((_, index) => index),
    values: (self, ticks) => {
      const every = Math.ceil((names.length * 60) / Math.max(1, self.bbox.width / devicePixelRatio));
      return ticks.map((tick) => (tick % every === 0 ? (names[tick] ?? "") : ""));
    },
    grid: { show: false },
  };
}

function rangeOf(props: ChartProps): uPlot.Scale.Range {
  return (_self, min, max) => {
    const [low, high] = props.range ?? [null, null];
    if (props.log) return [low ?? Math.max(min || 0.01, 0.001), high ?? Math.max(max || 1, 1) * 1.5];
    return [low ?? Math.min(0, min || 0), high ?? (max > 0 ? max * 1.1 : 1)];
  };
}

const [minute, hour, day] = [60, 3_600, 86_400];

/** Returns the time axis: with dates for more than three days, otherwise with times of day, and with seconds for a few minutes. */
function timeAxis({ times, areDays }: Props): uPlot.Axis {
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const withoutYear = (text: string) => text.replace(/ \d{4}$/, "");
  const timeText = (time: number) => (seconds < 10 * minute ? timeWithSeconds(time) : timeOfDay(time));
  // If the axis covers more than a day, midnight is shown as the date.
  const label = (time: number) => (seconds > day && timeOfDay(time) === "00:00" ? withoutYear(date(time)) : timeText(time));
  const dates = areDays || seconds > 3 * day;
  return {
    values: (_self, ticks) => ticks.map((tick) => (dates ? withoutYear((areDays ? dayOf : date)(tick * 1000)) : label(tick * 1000))),
    incrs: dates
      ? [1, 2, 3, 5, 7, 14, 30].map((days) => days * day)
      : [...(seconds < 10 * minute ? [1, 2, 5, 10, 15, 30] : []), ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute), ...[1, 2, 3, 4, 6, 12, 24].map((hours) => hours * hour)],
    space: seconds < 10 * minute ? 80 : 70,
  };
}

/** Returns a logarithmic axis with ticks at powers of ten, about six at most. */
function logAxis(props: Props): uPlot.Axis {
  const powersOfTen = (_self: uPlot, _axis: number, min: number, max: number) => {
    const [low, high] = [Math.ceil(Math.log10(min)), Math.floor(Math.log10(max))];
    const step = Math.max(1, Math.ceil((high - low) / 6));
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => 10 ** (low + index * step));
  };
  return {
    splits: powersOfTen,
    // uPlot's default filter would hide the number of some ticks.
    filter: (_self, ticks) => ticks,
    values: (_self, ticks) => ticks.map((tick) => (tick < 1000 ? props.format(tick) : tickText(tick))),
  };
}

/** Draws the unit above each scale. */
function drawUnits({ ctx }: uPlot, { unit, unitRight }: Props) {
  ctx.save();
  ctx.fillStyle = colourOf("faint");
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  if (unit) ctx.fillText(unit, 4 * devicePixelRatio, 2 * devicePixelRatio);
  ctx.textAlign = "right";
  if (unitRight) ctx.fillText(unitRight, ctx.canvas.width - 4 * devicePixelRatio, 2 * devicePixelRatio);
  ctx.restore();
}

function drawMarks(self: uPlot, { marks, times }: ChartProps) {
  const { ctx, bbox } = self;
  const last = times.at(-1) ?? 0;
  // A value covers the time until the next value, so a mark after the last time but within its interval is drawn at the last time.
  const end = last + (last - (times.at(-2) ?? last));
  const rows: { from: number; to: number }[][] = [[], [], []];
  for (const mark of marks ?? []) {
    const at = mark.at < end ? Math.min(mark.at, last) : mark.at;
    const x = Math.round(self.valToPos(at / 1000, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const colour = colourOf(mark.tone === "bad" ? "bad" : "info");
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    const width = ctx.measureText(mark.label).width + 8 * devicePixelRatio;
    const from = x > bbox.left + bbox.width * 0.8 ? x - width : x;
    // A label that would overlap another one moves to the next row. Without a free row, the line has no label.
    const row = rows.findIndex((taken) => taken.every((other) => other.to <= from || other.from >= from + width));
    if (row >= 0) {
      rows[row]?.push({ from, to: from + width });
      const [left, bottom] = [from + 4 * devicePixelRatio, bbox.top + (12 + 13 * row) * devicePixelRatio];
      // An outline in the panel's colour keeps lines from crossing the label.
      ctx.setLineDash([]);
      ctx.strokeStyle = colourOf("panel");
      ctx.lineWidth = 4 * devicePixelRatio;
      ctx.lineJoin = "round";
      ctx.strokeText(mark.label, left, bottom);
      ctx.fillText(mark.label, left, bottom);
    }
    ctx.restore();
  }
}
