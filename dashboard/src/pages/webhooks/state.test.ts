import { expect, test } from "vitest";
import { stateOf } from "./state";

test("a webhook's state shows who disabled it, and whether it fails", () => {
  const webhook = { isActive: true, disabledReason: "", failingSince: null };
  expect(stateOf(webhook)).toBe("on");
  expect(stateOf({ ...webhook, failingSince: "2026-11-20T00:00:00Z" })).toBe("failing");
  expect(stateOf({ ...webhook, isActive: false })).toBe("off");
  expect(stateOf({ ...webhook, isActive: false, disabledReason: "five days" })).toBe("disabled");
});
