import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { number, percent } from "@/format/format";
import { Chart } from "@/ui/Chart";
import { curveOf } from "./curve";
import type { Execution } from "./status";
import { strings } from "./strings";

/** The rates against their limits with the share below, and the evidence with the line where it decides. */
export function Curves({ execution, looks }: { execution: Execution; looks: Schemas["RolloutLook"][] }) {
  const curve = useMemo(() => curveOf(execution, looks), [execution, looks]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <section>
        <h3 className="mb-1 text-xs font-medium text-muted">{strings.curve.rates}</h3>
        <Chart title={strings.curve.rates} times={curve.times} series={curve.rates} format={percent} formatRight={(value) => percent(value, 0)} marks={curve.marks} sync="rollout" />
      </section>
      <section>
        <h3 className="mb-1 text-xs font-medium text-muted">{strings.curve.evidence}</h3>
        <Chart title={strings.curve.evidence} times={curve.times} series={curve.evidence} format={number} log range={[curve.lowestEvidence, null]} marks={curve.marks} sync="rollout" />
        <p className="text-xs text-faint">{strings.curve.hint}</p>
      </section>
    </div>
  );
}
