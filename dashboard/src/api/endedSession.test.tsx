import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeServer, refusal } from "@/testing/page";
import { createApiClient } from "./client";
import { useHeldInput } from "./heldInput";
import { setReauthentication } from "./reauthentication";

let server: ReturnType<typeof fakeServer>;
let hasSession: boolean;

beforeEach(() => {
  server = fakeServer();
  hasSession = false;
  server.respond = ({ path }) => (hasSession || path === "/v1/auth/methods" ? Response.json([]) : refusal(401, "sign in"));
  setReauthentication(() => Promise.resolve(false));
});

afterEach(() => {
  setReauthentication(null);
  server.close();
});

const client = createApiClient("acme");
const load = () => client.GET("/v1/ota/flags");
const change = () => client.POST("/v1/ota/branches", { body: { name: "next" } });

/** Declines to sign in again, on a page with an open form. */
async function decline() {
  renderHook(() => useHeldInput(true));
  await expect(load()).rejects.toThrow("sign in");
  server.sent.length = 0;
}

test("after a declined sign-in, the page does not ask for data", async () => {
  await decline();
  await expect(load()).rejects.toMatchObject({ status: 401, message: "sign in" });
  await expect(load()).rejects.toMatchObject({ status: 401 });
  expect(server.sent).toEqual([]);
});

test("the methods to sign in again are loaded all the same", async () => {
  await decline();
  await client.GET("/v1/auth/methods");
  await expect(load()).rejects.toMatchObject({ status: 401 });
  expect(server.sent.map(({ path }) => path)).toEqual(["/v1/auth/methods"]);
});

test("a sign-in loads the data again", async () => {
  await decline();
  let isBack = false;
  addEventListener("waft-back", () => (isBack = true), { once: true });
  setReauthentication(() => {
    hasSession = true;
    return Promise.resolve(true);
  });
  await change();
  expect(isBack).toBe(true);
  await expect(load()).resolves.toMatchObject({ data: [] });
});

test("a change that finds a session of another tab loads the data again", async () => {
  await decline();
  hasSession = true;
  await change();
  await expect(load()).resolves.toMatchObject({ data: [] });
});
