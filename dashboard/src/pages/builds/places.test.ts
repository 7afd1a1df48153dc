import { expect, test } from "vitest";
import { placesOf } from "./places";

const release = (updateId: number, channel: string | null, branchName = "main") => ({
  updateId,
  channel,
  branchName,
  releaseMessage: "",
  isEnabled: true,
  createdAt: "2026-11-29T00:00:00Z",
});

test("each channel is named once, with its newest release", () => {
  const places = placesOf([release(4, "production"), release(3, null, "next"), release(2, "staging"), release(1, "production")]);
  expect(places.map((each) => [each.channel ?? each.branchName, each.release.updateId])).toEqual([
    ["production", 4],
    ["next", 3],
    ["staging", 2],
  ]);
});
