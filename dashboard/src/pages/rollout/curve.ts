import type { Schemas } from "@/api/client";
import { number } from "@/format/format";
import type { Mark, Series } from "@/ui/chartProps";
import type { Execution } from "./status";
import { strings } from "./strings";

type Look = Schemas["RolloutLook"];
type Limits = Schemas["Thresholds"];

/** From this e-value on a limit counts as broken: the inverse of the error rate of 5 %. */
export const decidesAt = 20;

// More says nothing more.
const mostEvidence = 1000;

/** An e-value in words; — when unknown. */
export function evidenceText(value: number | null): string {
  return value !== null && value > mostEvidence ? strings.health.over : number(value);
}

/** The limits that hold in a stage: the policy's, with those of the stage in their place field by field. */
export function limitsOf(execution: Pick<Execution, "stages" | "thresholds">, stageIndex: number): Limits {
  return { ...execution.thresholds, ...execution.stages[stageIndex]?.thresholds };
}

export interface Curve {
  times: number[];
  rates: Series[];
  evidence: Series[];
  share: Series[];
  /** The ends of the scale of evidence: 1 is none, less speaks for the release. */
  evidenceRange: [number, number];
  marks: Mark[];
}

/** The curve of a rollout from its looks, which the API lists newest first. */
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
  // Without a device there is no evidence either way.
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
    // What is far beyond the decision would press the rest to the ground.
    evidenceRange: [Math.max(0.01, Math.min(1, ...known)) / 2, Math.min(10_000, Math.max(100, ...known.map((each) => each * 1.5)))],
    marks: marksOf(execution),
  };
}

/** A rate of no devices is unknown. */
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
