import { expect, test } from "vitest";
import { hasApproved, isRequester } from "./verdictsOf";

const user = { type: "user" as const, id: "7", name: "Kim" };
const key = { type: "api_key" as const, id: "7", name: "ci" };

test("a person is the requester of their own call, and not of the call of a key with the same number", () => {
  expect(isRequester({ requestedBy: user, approvals: [] }, { id: 7 })).toBe(true);
  expect(isRequester({ requestedBy: user, approvals: [] }, { id: 8 })).toBe(false);
  expect(isRequester({ requestedBy: key, approvals: [] }, { id: 7 })).toBe(false);
  expect(isRequester({ requestedBy: user, approvals: [] }, undefined)).toBe(false);
});

test("a person has approved a call that lists their approval", () => {
  const approvals = [{ by: user, at: "2026-11-29T08:00:00Z", comment: "" }];
  expect(hasApproved({ requestedBy: key, approvals }, { id: 7 })).toBe(true);
  expect(hasApproved({ requestedBy: key, approvals }, { id: 8 })).toBe(false);
});
