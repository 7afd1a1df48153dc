import { expect, it } from "vitest";
import { oneTelling } from "./oneTelling";

const entry = (id: number, action: string, changeId: string) => ({ id, action, changeId });
const ids = (entries: ReturnType<typeof entry>[]) => oneTelling(entries).map(({ id }) => id);

it("tells a rollback once, by the entry of its rollout, and keeps other changes", () => {
  expect(
    ids([
      entry(5, "incident.opened", "c"),
      entry(4, "update.rollback", "b"),
      entry(3, "update.patched", "b"),
      entry(2, "rollout.rolled_back", "b"),
      entry(1, "update.patched", "a"),
    ]),
  ).toEqual([5, 2, 1]);
});

it("tells rollbacks of two rollouts in one change both", () => {
  expect(ids([entry(3, "rollout.rolled_back", "a"), entry(2, "rollout.rolled_back", "a"), entry(1, "update.rollback", "a")])).toEqual([3, 2]);
});

it("tells an emergency stop once, and a later pause again", () => {
  expect(
    ids([entry(6, "rollout.paused", "b"), entry(3, "project.stopped", "a"), entry(2, "rollout.paused", "a"), entry(1, "channel.updated", "a")]),
  ).toEqual([6, 3]);
});

it("keeps what no other entry tells: a release that is published, and its rollout that starts", () => {
  expect(ids([entry(2, "rollout.started", "a"), entry(1, "build.published", "a")])).toEqual([2, 1]);
});
