import { percent, type PercentKind } from "@/format/format";

export interface Slice {
  label: string;
  /** Percent. */
  value: number;
  title?: string;
}

/** Colours of the slices, in their order. */
export const sliceColours = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5", "bg-series-6"];

/** Shows parts of a whole in one bar. Each part has its name and percentage as a tooltip and for screen readers. */
export function StackBar({ slices, label, kind = "share" }: { slices: Slice[]; label: string; kind?: PercentKind }) {
  const text = slices.map((slice) => `${slice.label} ${percent(slice.value, kind)}`).join(", ");
  return (
    <div role="img" aria-label={`${label}: ${text}`} className="flex h-2 w-full min-w-16 gap-px overflow-hidden rounded-full bg-selected">
      {slices.map((slice, index) => (
        <div
          key={slice.label}
          title={slice.title ?? `${slice.label}: ${percent(slice.value, kind)}`}
          className={sliceColours[index % sliceColours.length]}
          style={{ width: `${slice.value}%` }}
        />
      ))}
    </div>
  );
}
