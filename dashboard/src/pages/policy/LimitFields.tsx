import { Choice } from "@/form/Choice";
import type { PartProps } from "./Basics";
import { NumberInput } from "./NumberInput";
import { strings } from "./strings";

const text = strings.limits;

/** Fields for the thresholds, and for the action on a breach. */
export function LimitFields({ fields }: PartProps) {
  const choice = (name: "action" | "rollbackScope" | "method" | "baseline", label: string, options: Record<string, string>) => (
    <Choice of={fields} name={`thresholds.${name}`} label={label} options={Object.entries(options).map(([value, label]) => ({ value, label }))} />
  );
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <NumberInput of={fields} name="thresholds.crashRate" label={text.crash} hint={text.none} />
      <NumberInput of={fields} name="thresholds.errorRate" label={text.error} hint={text.none} />
      {choice("action", text.action, text.actions)}
      {choice("rollbackScope", text.scope, text.scopes)}
      {choice("method", text.method, text.methods)}
      {choice("baseline", text.baseline, text.baselines)}
      <NumberInput of={fields} name="thresholds.minNetworks" label={text.networks} />
      <NumberInput of={fields} name="thresholds.allocationVotes" label={text.allocation} hint={text.allocationHint} />
    </div>
  );
}
