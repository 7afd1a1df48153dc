import type { Stream } from "@/api/overview";
import { count } from "@/format/format";
import type { Slice } from "@/ui/StackBar";
import { strings } from "./strings";

const most = 5;

/** Returns the releases that devices run, most used first. The remaining releases are combined into one slice. */
export function slices({ distribution }: Pick<Stream, "distribution">): Slice[] {
  const sorted = (distribution ?? []).toSorted((a, b) => b.percentage - a.percentage);
  const shown = sorted.slice(0, most).map((part) => {
    const label = part.updateId === null ? strings.embedded : `#${part.updateId}`;
    return { label, value: part.percentage, title: `${label}: ${count(part.devices)}` };
  });
  const rest = sorted.slice(most).reduce((sum, part) => sum + part.percentage, 0);
  return rest > 0 ? [...shown, { label: strings.older, value: rest }] : shown;
}
