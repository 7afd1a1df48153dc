import { expect, it } from "vitest";
import { toRollBack } from "./toRollBack";

type Row = Parameters<typeof toRollBack>[0];

const row = (release: number | null, newestUpdateId: number | null, rollout: number | null = null) =>
  ({ release: release && { id: release }, newestUpdateId, rollout: rollout && { updateId: rollout } }) as unknown as Row;

it("rolls back what was published last, even if only some devices get it", () => {
  expect(toRollBack(row(10, 10))).toBe(10);
  expect(toRollBack(row(10, 12))).toBe(12);
  expect(toRollBack(row(null, 12))).toBe(12);
  expect(toRollBack(row(null, null))).toBeUndefined();
});

it("rolls back the rollout, unless a newer release was published for some devices", () => {
  expect(toRollBack(row(10, 11, 11))).toBe(11);
  expect(toRollBack(row(10, 12, 11))).toBe(12);
  // The rollout is on a second branch of the channel.
  expect(toRollBack(row(12, 12, 11))).toBe(11);
});
