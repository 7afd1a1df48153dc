import { expect, it } from "vitest";
import { isOneChange, isOneInHistory, oneTelling } from "./oneTelling";

const at = (second: number) => `2026-11-23T18:39:${String(second).padStart(2, "0")}.000Z`;
const entry = (id: number, action: string, more: object = {}) => ({
  id,
  action,
  createdAt: at(10),
  actorId: "rollout",
  requestId: "",
  entityType: action.startsWith("rollout") ? "rollout_execution" : "update",
  entityId: action.startsWith("rollout") ? "21" : "17",
  details: {},
  ...more,
});
const ids = (entries: ReturnType<typeof entry>[]) => oneTelling(entries, isOneChange).map(({ id }) => id);
const reason = { rolloutExecutionId: 21, reason: "crash rate 15% breaches the threshold" };

it("tells a rollback once, by the entry of its rollout", () => {
  expect(
    ids([
      entry(5, "incident.opened"),
      entry(4, "update.rollback", { entityId: "18", details: reason }),
      entry(3, "update.patched", { details: reason }),
      entry(2, "rollout.rolled_back", { details: { reason: reason.reason } }),
      entry(1, "update.patched", { createdAt: at(1), details: { ...reason, reason: "stage 1 of 3 begins" } }),
    ]),
  ).toEqual([5, 2, 1]);
});

it("tells rollbacks of two rollouts for the same reason both", () => {
  const other = { entityId: "22" };
  expect(ids([entry(2, "rollout.rolled_back", { ...other, details: { reason: "x" } }), entry(1, "rollout.rolled_back", { details: { reason: "x" } })])).toEqual([2, 1]);
});

it("tells an emergency stop once, and the same pause at another time again", () => {
  const of = (requestId: string, second: number) => ({ actorId: "7", requestId, createdAt: at(second) });
  expect(
    ids([
      entry(6, "rollout.paused", of("r2", 40)),
      entry(3, "project.stopped", of("r1", 10)),
      entry(2, "rollout.paused", of("r1", 10)),
      entry(1, "channel.updated", of("r1", 9)),
    ]),
  ).toEqual([6, 3]);
});

it("keeps what no other entry tells: a release that is published, and its rollout that starts", () => {
  const request = { actorId: "7", requestId: "r1" };
  expect(ids([entry(2, "rollout.started", request), entry(1, "build.published", request)])).toEqual([2, 1]);
});

it("tells a rollback once in the history of a release, and keeps the stage before it", () => {
  const noted = (id: number, action: string, actor: string, reason?: string) => ({ id, action, actor, createdAt: at(10), details: reason ? { reason } : {} });
  const told = (entries: ReturnType<typeof noted>[]) => oneTelling(entries, isOneInHistory).map(({ id }) => id);
  expect(
    told([
      noted(4, "update.rollback", "system", "crash rate"),
      noted(3, "update.patched", "system", "crash rate"),
      noted(2, "rollout.rolled_back", "system", "crash rate"),
      noted(1, "update.patched", "system", "stage 1 begins"),
    ]),
  ).toEqual([2, 1]);
  expect(
    told([
      noted(4, "rollout.rolled_back", "sam", "rolled back manually with release 18"),
      noted(3, "update.rollback", "sam"),
      noted(2, "update.patched", "sam", "rolled back with release 18"),
      noted(1, "rollout.stage_advanced", "sam"),
    ]),
  ).toEqual([4, 1]);
});
