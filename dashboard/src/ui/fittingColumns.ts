import { useLayoutEffect, useState, type RefObject } from "react";

interface Sized {
  /** A CSS grid track. */
  width?: string;
  secondary?: boolean;
}

// Sizes in pixels, as in the classes of Table.
const rem = 16;
const gap = 12;
const padding = 24;
/** A column without a minimum in its track is not narrower than this. */
const leastWidth = 6 * rem;
/** A narrower table shows only the columns that are not secondary. */
const phone = 36 * rem;

const track = ({ width }: Sized) => width ?? "minmax(0, 1fr)";

/** Returns the smallest width of a column. */
function minimumOf(column: Sized): number {
  const least = /(?:^|minmax\()([\d.]+)rem/.exec(track(column))?.[1];
  return least === undefined ? leastWidth : Number(least) * rem;
}

/**
 * Returns the columns that a table of the width has room for. Columns that are not secondary are always among them. The width 0 means that
 * it is not known yet: then all columns are returned.
 */
export function fittingColumns<C extends Sized>(columns: C[], width: number): C[] {
  if (width === 0) return columns;
  const kept = new Set(columns.filter(({ secondary }) => !secondary));
  if (width < phone) return [...kept];
  let left = width - padding + gap;
  for (const column of kept) left -= minimumOf(column) + gap;
  for (const column of columns) {
    const needed = minimumOf(column) + gap;
    if (!column.secondary || needed > left) continue;
    left -= needed;
    kept.add(column);
  }
  return columns.filter((column) => kept.has(column));
}

/** Returns the grid tracks of the columns. On a phone, columns have no minimum width, so that none is cut off. */
export function tracksOf(columns: Sized[], width: number): string {
  const isPhone = width > 0 && width < phone;
  return columns.map((column) => (isPhone ? track(column).replace(/minmax\([^,]+,/, "minmax(0,") : track(column))).join(" ");
}

/** Returns the width of the element in pixels, and 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured || typeof ResizeObserver === "undefined") return;
    const measure = () => setWidth(measured.clientWidth);
    // Before the first paint, so that the table does not jump.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
