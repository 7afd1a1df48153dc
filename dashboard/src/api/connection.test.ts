import { afterEach, expect, test, vi } from "vitest";
import { connection, noteAnswer, noteSilence, probe, watchConnection, whatIsAway } from "./connection";

const answers = (status: number) => vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { status }));

afterEach(async () => {
  answers(200);
  await probe();
  vi.restoreAllMocks();
});

test("a 503 marks a part as unavailable, by its name if the server gives it, until the probe finds everything available", async () => {
  noteAnswer(503, "postgres");
  noteAnswer(503);
  noteAnswer(200);
  expect([connection(), whatIsAway()]).toEqual(["partial", "postgres"]);
  answers(503);
  expect(await probe()).toBe("partial");
  expect(whatIsAway()).toBe("postgres");
  answers(200);
  expect(await probe()).toBe("ok");
  expect(whatIsAway()).toBe("");
});

test("a missing response sets silent, and the first response ends it", () => {
  const listener = vi.fn();
  const unwatch = watchConnection(listener);
  noteSilence();
  noteSilence();
  expect([connection(), listener.mock.calls.length]).toEqual(["silent", 1]);
  noteAnswer(200);
  expect([connection(), listener.mock.calls.length]).toEqual(["partial", 2]);
  unwatch();
});
