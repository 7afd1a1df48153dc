import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { percent } from "@/format/format";
import { Chart } from "@/ui/Chart";
import { curveOf, evidenceText } from "./curve";
import type { Execution } from "./status";
import { strings } from "./strings";

const text = strings.curve;

/** Shows charts of the rates with their thresholds, of the evidence with the decision line, and of the rollout percentage. */
export function Curves({ execution, looks }: { execution: Execution; looks: Schemas["RolloutLook"][] }) {
  const curve = useMemo(() => curveOf(execution, looks), [execution, looks]);
  const common = { times: curve.times, marks: curve.marks, sync: "rollout" };
  return (
    <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
      <section>
        <h3 className="text-xs font-medium text-muted">{text.rates}</h3>
        <p className="mb-1 text-xs text-faint">{text.ratesHint}</p>
        <Chart title={text.rates} {...common} series={curve.rates} format={percent} unit={text.ofCounted} />
      </section>
      <section>
        <h3 className="text-xs font-medium text-muted">{text.evidence}</h3>
        <p className="mb-1 text-xs text-faint">{text.evidenceHint}</p>
        <Chart title={text.evidence} {...common} series={curve.evidence} format={evidenceText} log range={curve.evidenceRange} unit={text.evidenceUnit} />
      </section>
      <section className="lg:col-span-2">
        <h3 className="mb-1 text-xs font-medium text-muted">{text.shareOver}</h3>
        <Chart title={text.shareOver} {...common} series={curve.share} format={percent} range={[0, 100]} height={120} unit={text.ofAll} />
      </section>
    </div>
  );
}
