import type { Schemas } from "@/api/client";

type Policy = Schemas["RolloutPolicy"];
type Body = Schemas["CreatePolicyBody"];
type Day = NonNullable<Schemas["FreezeWindow"]["days"]>[number];

export const days: Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** A policy as its form has it: numbers are text while they are typed, and empty for none. */
export interface Draft {
  name: string;
  description: string;
  channel: string;
  isActive: boolean;
  stages: { percentage: string; minDurationMinutes: string; minDevices: string; thresholds?: Schemas["Thresholds"] }[];
  crashRate: string;
  errorRate: string;
  minNetworks: string;
  action: "auto-rollback" | "gate";
  rollbackScope: "release" | "graduated";
  method: "sequential" | "point";
  baseline: "limit" | "control";
  startAt: string;
  timeZone: string;
  freezeWindows: { days: Day[]; from: string; to: string }[];
  /** Limits that this form does not edit; they stay as they are. */
  other: Record<string, unknown>;
}

const text = (value: number | null | undefined) => (value == null ? "" : String(value));

/** The form of a policy; of none, that of a careful new one. */
export function draftOf(policy?: Policy): Draft {
  const { crashRate, errorRate, minNetworks, action, rollbackScope, method, baseline, ...other } = policy?.thresholds ?? { crashRate: 1, errorRate: 5 };
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
    crashRate: text(crashRate),
    errorRate: text(errorRate),
    minNetworks: text(minNetworks),
    action: action ?? "auto-rollback",
    rollbackScope: rollbackScope ?? "release",
    method: method ?? "sequential",
    baseline: baseline ?? "limit",
    startAt: policy?.startAt ? localInput(policy.startAt) : "",
    timeZone: policy?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    freezeWindows: (policy?.freezeWindows ?? []).map((window) => ({ days: window.days ?? [], from: window.from, to: window.to })),
    other,
  };
}

/** What the API gets. Empty fields are left out when a policy is made, and null when one is changed. */
export function bodyOf(draft: Draft, isNew: boolean): Body {
  const none = isNew ? undefined : null;
  const number = (value: string) => (value.trim() === "" ? none : Number(value));
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
      ...draft.other,
      crashRate: number(draft.crashRate),
      errorRate: number(draft.errorRate),
      minNetworks: optional(draft.minNetworks),
      action: draft.action,
      rollbackScope: draft.rollbackScope,
      method: draft.method,
      baseline: draft.baseline,
    }),
    startAt: draft.startAt ? new Date(draft.startAt).toISOString() : none,
    timeZone: draft.timeZone,
    freezeWindows: draft.freezeWindows.map((window) => ({ from: window.from, to: window.to, ...(window.days.length > 0 && { days: window.days }) })),
  }) as Body;
}

function clean<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** A time as the control datetime-local has it, in the browser's zone. */
function localInput(time: string): string {
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Whether the form can be previewed: shares are numbers from 0 to 100 that rise. */
export function isComplete(draft: Draft): boolean {
  let last = 0;
  return draft.stages.every((stage) => {
    const share = Number(stage.percentage);
    const rises = stage.percentage.trim() !== "" && share > last && share <= 100;
    last = share;
    return rises;
  });
}
