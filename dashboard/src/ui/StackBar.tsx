import { percent, type PercentKind } from "@/format/format";

export interface Slice {
  label: string;
  /** Percent. */
  value: number;
  /** A colour of the theme. By default, slices get the colours of series in turn. */
  colour?: string;
  title?: string;
}

/** Returns the CSS colour of the slice at an index. */
export const colourOfSlice = ({ colour }: Slice, index: number) => `var(--color-${colour ?? `series-${(index % 6) + 1}`})`;

/** Shows parts of a whole in one bar. Each part has its name and percentage as a tooltip and for screen readers. */
export function StackBar({ slices, label, kind = "share" }: { slices: Slice[]; label: string; kind?: PercentKind }) {
  const text = slices.map((slice) => `${slice.label} ${percent(slice.value, kind)}`).join(", ");
  return (
    <div role="img" aria-label={`${label}: ${text}`} className="flex h-2 w-full min-w-16 gap-px overflow-hidden rounded-full bg-selected">
      {slices.map((slice, index) => (
        <div
          key={`${index} ${slice.label}`}
          title={slice.title ?? `${slice.label}: ${percent(slice.value, kind)}`}
          style={{ width: `${slice.value}%`, backgroundColor: colourOfSlice(slice, index) }}
        />
      ))}
    </div>
  );
}
