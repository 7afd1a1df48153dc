import type { Stream } from "@/api/overview";
import { count } from "@/format/format";
import { releaseLabels, releaseNumber } from "@/format/releaseName";
import { releaseColours } from "@/ui/releaseColours";
import type { Slice } from "@/ui/StackBar";
import { strings } from "./strings";

const most = 5;

/** Returns the releases that devices run, most used first. The remaining releases are combined into one slice. */
export function slices({ distribution }: Pick<Stream, "distribution">): Slice[] {
  const sorted = (distribution ?? []).toSorted((a, b) => b.percentage - a.percentage);
  const shown = sorted.slice(0, most);
  const releases = shown.flatMap(({ release }) => release ?? []);
  const labels = releaseLabels(releases);
  const colours = releaseColours(releases.map(({ updateId }) => updateId));
  const parts = shown.map(({ updateId, percentage, devices }): Slice => {
    const label = updateId === null ? strings.embedded : (labels.get(updateId) ?? releaseNumber(updateId));
    return { label, value: percentage, colour: updateId === null ? "muted" : colours.get(updateId), title: `${label}: ${count(devices)}` };
  });
  const rest = sorted.slice(most).reduce((sum, part) => sum + part.percentage, 0);
  return rest > 0 ? [...parts, { label: strings.older, value: rest, colour: "faint" }] : parts;
}
