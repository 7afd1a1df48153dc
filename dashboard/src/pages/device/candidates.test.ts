import { expect, test } from "vitest";
import type { Release } from "@/api/releases";
import { candidatesOf, shareOf } from "./candidates";

test("only releases of the device's platform and runtime version can reach it", () => {
  const release = (id: number, platform: string, runtimeVersion: string) => ({ id, platform, runtimeVersion }) as Release;
  const all = [release(3, "ios", "1.0.0"), release(2, "android", "1.0.0"), release(1, "ios", "2.0.0")];
  expect(candidatesOf(all, { platform: "ios", runtimeVersion: "1.0.0" }).map(({ id }) => id)).toEqual([3]);
});

test("a rollout percentage is a number from 0 to 100", () => {
  expect(shareOf("12.5")).toBe(12.5);
  expect(shareOf("0")).toBe(0);
  for (const bad of ["", " ", "-1", "100.1", "many"]) expect(shareOf(bad)).toBeNull();
});
