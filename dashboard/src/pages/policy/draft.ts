import type { Schemas } from "@/api/client";
import { zoneName } from "@/format/inputTime";
import { strings } from "./strings";

type Policy = Schemas["RolloutPolicy"];
type Body = Schemas["CreatePolicyBody"];
type Day = NonNullable<Schemas["FreezeWindow"]["days"]>[number];

export const days: Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Maximum number of custom events with a threshold in a policy. */
export const mostEvents = 5;

interface EventDraft {
  name: string;
  direction: "above" | "below";
  rate: string;
}

/** The form values of a policy. Numbers are strings while they are edited; an empty string means no value. */
export interface Draft {
  name: string;
  description: string;
  channel: string;
  isActive: boolean;
  stages: { percentage: string; minDurationMinutes: string; minDevices: string; thresholds?: Schemas["Thresholds"] }[];
  thresholds: {
    crashRate: string;
    errorRate: string;
    minNetworks: string;
    allocationVotes: string;
    action: "auto-rollback" | "gate";
    rollbackScope: "release" | "graduated";
    method: "sequential" | "point";
    baseline: "limit" | "control";
    events: EventDraft[];
  };
  startAt: string;
  timeZone: string;
  freezeWindows: { days: Day[]; from: string; to: string }[];
}

const text = (value: number | null | undefined) => (value == null ? "" : String(value));

/** Returns the form values of a policy. Without a policy, returns defaults for a careful new policy. */
export function draftOf(policy?: Policy): Draft {
  const { crashRate, errorRate, minNetworks, allocationVotes, action, rollbackScope, method, baseline, events } = policy?.thresholds ?? ({ crashRate: 1, errorRate: 5 } as Schemas["Thresholds"]);
  const stages = policy?.stages ?? [
    { percentage: 5, minDurationMinutes: 30, minDevices: 100 },
    { percentage: 25, minDurationMinutes: 60, minDevices: 500 },
    { percentage: 100 },
  ];
  return {
    name: policy?.name ?? "",
    description: policy?.description ?? "",
    channel: policy?.channel ?? "",
    isActive: policy?.isActive ?? true,
    stages: stages.map((stage) => ({
      percentage: text(stage.percentage),
      minDurationMinutes: text(stage.minDurationMinutes),
      minDevices: text(stage.minDevices),
      ...(stage.thresholds && { thresholds: stage.thresholds }),
    })),
    thresholds: {
      crashRate: text(crashRate),
      errorRate: text(errorRate),
      minNetworks: text(minNetworks),
      allocationVotes: text(allocationVotes),
      action: action ?? "auto-rollback",
      rollbackScope: rollbackScope ?? "release",
      method: method ?? "sequential",
      baseline: baseline ?? "limit",
      events: (events ?? []).map(({ name, direction, rate }) => ({ name, direction, rate: text(rate) })),
    },
    startAt: policy?.startAt ?? "",
    timeZone: policy?.timeZone ?? zoneName(),
    freezeWindows: (policy?.freezeWindows ?? []).map((window) => ({ days: window.days ?? [], from: window.from, to: window.to })),
  };
}

/** Returns the request body. Empty fields are omitted for a new policy, and null for a change. */
export function bodyOf(draft: Draft, isNew: boolean): Body {
  const none = isNew ? undefined : null;
  const number = (value: string) => (value.trim() === "" ? none : Number(value));
  const { thresholds } = draft;
  const optional = (value: string) => (value.trim() === "" ? undefined : Number(value));
  return clean({
    name: draft.name.trim(),
    description: draft.description.trim(),
    channel: draft.channel || none,
    isActive: draft.isActive,
    stages: draft.stages.map((stage) =>
      clean({
        percentage: Number(stage.percentage),
        minDurationMinutes: optional(stage.minDurationMinutes),
        minDevices: optional(stage.minDevices),
        thresholds: stage.thresholds,
      }),
    ),
    thresholds: clean({
      crashRate: number(thresholds.crashRate),
      errorRate: number(thresholds.errorRate),
      minNetworks: optional(thresholds.minNetworks),
      allocationVotes: optional(thresholds.allocationVotes),
      action: thresholds.action,
      rollbackScope: thresholds.rollbackScope,
      method: thresholds.method,
      baseline: thresholds.baseline,
      events: thresholds.events.map(({ name, direction, rate }) => ({ name, direction, rate: Number(rate) })),
    }),
    startAt: draft.startAt || none,
    timeZone: draft.timeZone,
    freezeWindows: draft.freezeWindows.map((window) => ({ from: window.from, to: window.to, ...(window.days.length > 0 && { days: window.days }) })),
  }) as Body;
}

function clean<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** Returns the error of a stage's percentage, or null. */
export function shareProblem(stages: Draft["stages"], index: number): string | null {
  const text = stages[index]?.percentage.trim() ?? "";
  const share = Number(text);
  if (text === "" || !(share > 0 && share <= 100)) return strings.stages.badShare;
  if (stages.slice(0, index).some((before) => Number(before.percentage) >= share)) return strings.stages.notRising;
  return index === stages.length - 1 && share !== 100 ? strings.stages.notAll : null;
}

/** Returns the error of an event's rate, or null. */
export function eventRateProblem({ rate, direction }: EventDraft): string | null {
  const value = Number(rate);
  if (rate.trim() === "" || !(value > 0 && value <= 100)) return strings.events.badRate;
  return direction === "below" && value === 100 ? strings.events.belowAll : null;
}

/** Reports whether the API can make a forecast for the form values. */
export function isComplete({ stages, thresholds }: Draft): boolean {
  return (
    stages.length > 0 &&
    stages.every((_, index) => shareProblem(stages, index) === null) &&
    thresholds.events.every((event) => event.name !== "" && eventRateProblem(event) === null)
  );
}
