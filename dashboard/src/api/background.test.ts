// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { createApiClient } from "./client";

const sent = () => vi.mocked(fetch).mock.calls.map(([request]) => (request as Request).headers.get("Waft-Background"));

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(Response.json({})));
});

test("a request long after the last input is marked as a background request", async () => {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const client = createApiClient("demo");
  dispatchEvent(new Event("keydown"));
  await client.GET("/v1/ota/overview");
  now += 5_001;
  await client.GET("/v1/ota/overview");
  await client.GET("/v1/me");
  dispatchEvent(new Event("pointerdown"));
  await client.GET("/v1/ota/overview");
  expect(sent()).toEqual([null, "1", "1", null]);
});
