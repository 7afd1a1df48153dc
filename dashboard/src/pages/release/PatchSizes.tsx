import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { bytes } from "@/format/format";
import { Chart } from "@/ui/Chart";
import { patchSizes } from "./patchSizes";
import { strings } from "./strings";

/** A chart of the download from each earlier release: the patch compared with the full bundle. */
export function PatchSizes({ patches }: { patches: Schemas["UpdatePatch"][] }) {
  const chart = useMemo(() => patchSizes(patches), [patches]);
  if (chart.times.length === 0) return null;
  return (
    <div className="p-3">
      <Chart title={strings.patches.chart} {...chart} format={bytes} areBytes unit={strings.patches.unit} height={160} />
    </div>
  );
}
