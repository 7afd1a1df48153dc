import type { Schemas } from "@/api/client";
import type { Mark, Series } from "@/ui/Chart";
import type { Execution } from "./status";
import { strings } from "./strings";

type Look = Schemas["RolloutLook"];
type Limits = Schemas["Thresholds"];

/** From this e-value on a limit counts as broken: the inverse of the error rate of 5 %. */
export const decidesAt = 20;

/** The limits that hold in a stage: the policy's, with those of the stage in their place field by field. */
export function limitsOf(execution: Pick<Execution, "stages" | "thresholds">, stageIndex: number): Limits {
  return { ...execution.thresholds, ...execution.stages[stageIndex]?.thresholds };
}

export interface Curve {
  times: number[];
  rates: Series[];
  evidence: Series[];
  /** Where the scale of evidence begins: 1 is none, less speaks for the release. */
  lowestEvidence: number;
  marks: Mark[];
}

/** The curve of a rollout from its looks, which the API lists newest first. */
export function curveOf(execution: Execution, looks: Look[]): Curve {
  const rising = [...looks].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const limit = (name: "crashRate" | "errorRate") => rising.map((look) => limitsOf(execution, look.stageIndex)[name] ?? null);
  const rates: Series[] = [
    { label: strings.curve.crashRate, values: rising.map((look) => rate(look, look.crashRate)), colour: "bad" },
    { label: strings.curve.errorRate, values: rising.map((look) => rate(look, look.errorRate)), colour: 3 },
    { label: strings.curve.share, values: rising.map((look) => look.percentage), colour: "muted", shape: "steps", side: "right" },
  ];
  const limits: Series[] = [
    { label: strings.curve.crashLimit, values: limit("crashRate"), colour: "bad", shape: "dashed" },
    { label: strings.curve.errorLimit, values: limit("errorRate"), colour: 3, shape: "dashed" },
  ];
  return {
    times: rising.map((look) => Date.parse(look.at)),
    rates: [...rates, ...limits.filter((each) => each.values.some((value) => value !== null))],
    evidence: [
      { label: strings.curve.evidenceSeries, values: rising.map((look) => look.evidence), colour: 4, shape: "area" },
      { label: strings.curve.decides, values: rising.map(() => decidesAt), colour: "bad", shape: "dashed" },
    ],
    lowestEvidence: Math.max(0.01, Math.min(1, ...rising.map((look) => look.evidence))) / 2,
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
