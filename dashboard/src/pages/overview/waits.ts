import type { Stream } from "@/api/overview";
import { actorName } from "@/format/actions";
import { count, duration } from "@/format/format";
import { strings } from "./strings";

type Rollout = NonNullable<Stream["rollout"]>;

const text = strings.rollouts;

/** Describes what an open rollout waits for: the time left, the minimum of devices, or the person who paused it with the reason. */
export function waitsFor(rollout: Rollout, now: number): string {
  if (rollout.status === "paused") {
    const pause = rollout.timeline.findLast(({ event }) => event === "paused");
    if (!pause) return text.paused;
    // Without a reason from the person, the server's reason only repeats who paused the rollout.
    const who = text.pausedBy(actorName(pause.actor));
    return pause.reason && pause.reason.toLowerCase() !== who.toLowerCase() ? `${who}: ${pause.reason}` : who;
  }
  const held = rollout.waitingFor === "threshold" || rollout.waitingFor === "data" || rollout.waitingFor === "networks" || rollout.waitingFor === "resume";
  const stage = rollout.stages[rollout.stageIndex];
  const left = stage?.minDurationMinutes ? Date.parse(rollout.stageStartedAt) + stage.minDurationMinutes * 60_000 - now : 0;
  const devices = rollout.health?.devices ?? 0;
  const needs = [
    held && text.held[rollout.waitingFor as keyof typeof text.held],
    left > 0 && text.left(duration(left)),
    stage?.minDevices && devices < stage.minDevices && text.devices(count(devices), count(stage.minDevices)),
  ];
  return needs.filter(Boolean).join("; ") || text.next;
}
