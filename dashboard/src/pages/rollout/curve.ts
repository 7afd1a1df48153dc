import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import type { Mark, Series } from "@/ui/chartProps";
import type { Execution } from "./status";
import { strings } from "./strings";

type Look = Schemas["RolloutLook"];
type Limits = Schemas["Thresholds"];

/** The e-value at which a threshold counts as breached: the inverse of the error probability of 5%. */
export const decidesAt = 20;

// Larger e-values are shown as "over 1,000".
const mostEvidence = 1000;

const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, roundingMode: "floor" });

/** Formats an e-value with three digits, rounded down so that it does not seem to reach the decision. Returns — if it is unknown. */
export function evidenceText(value: number | null): string {
  if (value === null) return frame.unknown;
  return value > mostEvidence ? strings.health.over : threeDigits.format(value);
}

/** Returns the thresholds of a stage: the policy's thresholds, overridden field by field by the stage's own. */
export function limitsOf(execution: Pick<Execution, "stages" | "thresholds">, stageIndex: number): Limits {
  return { ...execution.thresholds, ...execution.stages[stageIndex]?.thresholds };
}

export interface Curve {
  times: number[];
  rates: Series[];
  evidence: Series[];
  share: Series[];
  /** Minimum and maximum of the evidence scale. 1 means no evidence; smaller values speak for the release. */
  evidenceRange: [number, number];
  marks: Mark[];
}

/** Returns the curves of a rollout from its observations, which the API lists newest first. */
export function curveOf(execution: Execution, looks: Look[]): Curve {
  const rising = [...looks].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const limit = (name: "crashRate" | "errorRate") => rising.map((look) => limitsOf(execution, look.stageIndex)[name] ?? null);
  const rates: Series[] = [
    { label: strings.curve.crashRate, values: rising.map((look) => rate(look, look.crashRate)), colour: "bad" },
    { label: strings.curve.errorRate, values: rising.map((look) => rate(look, look.errorRate)), colour: 3 },
  ];
  const limits: Series[] = [
    { label: strings.curve.crashLimit, values: limit("crashRate"), colour: "bad", shape: "dashed" },
    { label: strings.curve.errorLimit, values: limit("errorRate"), colour: 3, shape: "dashed" },
  ];
  // If no device was counted, there is no evidence either way.
  const evidence = rising.map((look) => (look.devices > 0 ? look.evidence : null));
  const known = evidence.filter((each) => each !== null);
  return {
    times: rising.map((look) => Date.parse(look.at)),
    rates: [...rates, ...limits.filter((each) => each.values.some((value) => value !== null))],
    evidence: [
      { label: strings.curve.evidenceSeries, values: evidence, colour: 4, shape: "area" },
      { label: strings.curve.decides, values: rising.map(() => decidesAt), colour: "bad", shape: "dashed" },
    ],
    share: [{ label: strings.curve.share, values: rising.map((look) => look.percentage), colour: 1, shape: "steps" }],
    // The scale is capped, because values far beyond the decision would flatten the rest of the curve.
    evidenceRange: [Math.max(0.01, Math.min(1, ...known)) / 2, Math.min(10_000, Math.max(100, ...known.map((each) => each * 1.5)))],
    marks: marksOf(execution),
  };
}

/** Returns the rate, or null if no device was counted. */
function rate(look: Look, value: number): number | null {
  return look.devices > 0 ? value : null;
}

function marksOf(execution: Execution): Mark[] {
  const marks: Mark[] = [];
  for (const entry of execution.timeline) {
    const at = Date.parse(entry.at);
    if (entry.event === "stage_advanced") marks.push({ at, label: strings.curve.stage(entry.toStage + 1) });
    if (entry.event === "completed" || entry.event === "rolled_back" || entry.event === "cancelled") {
      marks.push({ at, label: strings.curve.ended[entry.event], tone: entry.event === "rolled_back" ? "bad" : "info" });
    }
  }
  return marks;
}
