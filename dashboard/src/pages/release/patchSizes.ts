import type { Schemas } from "@/api/client";
import { releaseName } from "@/format/releaseName";
import type { ChartProps } from "@/ui/chartProps";
import { strings } from "./strings";

/** Returns the bytes of each offered patch and of the full bundle, oldest base first. Embedded updates come before releases. */
export function patchSizes(patches: Schemas["UpdatePatch"][]): Pick<ChartProps, "times" | "categories" | "series"> {
  const text = strings.patches;
  const offered = patches.filter(({ status }) => status === "offered").toSorted((a, b) => (a.baseUpdateId ?? 0) - (b.baseUpdateId ?? 0));
  return {
    times: offered.map((_, index) => index),
    categories: { title: text.from, names: offered.map(({ baseRelease }) => (baseRelease === null ? text.embedded : releaseName(baseRelease))) },
    series: [
      { label: text.size, values: offered.map(({ sizeBytes }) => sizeBytes), colour: "ok", shape: "bars" },
      { label: text.full, values: offered.map((patch) => patch.compressedBytes || patch.fullBytes), colour: "muted", shape: "bars" },
    ],
  };
}
