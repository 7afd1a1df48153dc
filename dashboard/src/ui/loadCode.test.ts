import { afterEach, expect, test, vi } from "vitest";
import { probe } from "@/api/connection";
import { loadCode } from "./loadCode";

afterEach(() => void vi.restoreAllMocks());

test("code is loaded once a silent server responds again", async () => {
  const network = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  const load = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue("the page");
  const loaded = loadCode(load);
  await vi.waitFor(() => expect(network).toHaveBeenCalled());
  expect(load).toHaveBeenCalledTimes(1);
  network.mockResolvedValue(new Response(null, { status: 200 }));
  await probe();
  expect(await loaded).toBe("the page");
});

test("loading fails if the server responds and does not have the code", async () => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { status: 200 }));
  await expect(loadCode(() => Promise.reject(new TypeError("404")))).rejects.toThrow("404");
});
