// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { Stream } from "@/api/overview";
import { waitsFor } from "./waits";

const paused = (reason: string) =>
  waitsFor({ status: "paused", timeline: [{ event: "paused", actor: "ana@example.com", reason }] } as unknown as NonNullable<Stream["rollout"]>, 0);

test("a paused rollout names who paused it, with the reason that the person gave", () => {
  expect(paused("Crashes on iPad")).toBe("Paused by ana@example.com: Crashes on iPad");
  expect(paused("paused by ana@example.com")).toBe("Paused by ana@example.com");
});
