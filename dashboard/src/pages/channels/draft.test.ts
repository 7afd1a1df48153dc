import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { draftOf, patchOf, protectionOf } from "./draft";

const channel = { name: "production", branchName: "production", rolloutBranchName: null, rolloutPercentage: null, minRuntimeVersion: null, isProtected: false, requiredApprovals: 0 } as unknown as Schemas["Channel"];

test("protecting a channel starts with one approval, and other actions do not protect it", () => {
  expect(patchOf("protect", draftOf(channel, [], "protect"))).toEqual({ isProtected: true, requiredApprovals: 1 });
  expect(patchOf("protect", draftOf({ ...channel, requiredApprovals: 2 }, [], "protect"))).toEqual({ isProtected: true, requiredApprovals: 2 });
  expect(draftOf(channel, [], "runtime").isProtected).toBe(false);
});

test("the protection of a protected channel starts with its stored values", () => {
  expect(patchOf("protect", draftOf({ ...channel, isProtected: true }, [], "protect"))).toEqual({ isProtected: true, requiredApprovals: 0 });
});

test("the button names what happens to the protection", () => {
  expect(protectionOf(channel, { isProtected: true })).toBe("add");
  expect(protectionOf({ isProtected: true }, { isProtected: true })).toBe("change");
  expect(protectionOf({ isProtected: true }, { isProtected: false })).toBe("remove");
});
