import { expect, test } from "vitest";
import { isAbout } from "./resources";

test("a change reaches the queries that show it", () => {
  expect(isAbout("/v1/ota/updates/{id}", "updates")).toBe(true);
  expect(isAbout("/v1/ota/overview", "rollout-executions")).toBe(true);
  expect(isAbout("/v1/ota/audit-log", "webhooks")).toBe(true);
  expect(isAbout("/v1/ota/webhooks", "flags")).toBe(false);
  expect(isAbout("/v1/me", "flags")).toBe(false);
});
