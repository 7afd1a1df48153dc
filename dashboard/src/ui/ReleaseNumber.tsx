import { releaseNumber } from "@/format/releaseName";

/** The number of a release in small print, next to its name. */
export function ReleaseNumber({ id }: { id: number }) {
  return <span className="shrink-0 text-2xs text-faint tabular-nums">{releaseNumber(id)}</span>;
}
