import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noteAnswer, noteSilence, probe } from "@/api/connection";
import { timeWithSeconds } from "@/format/format";
import { setLiveState } from "@/live/state";
import { LiveNote } from "./LiveNote";

const [opened, heard, silent] = ["2026-03-14T09:20:00Z", "2026-03-14T09:26:53Z", "2026-03-14T09:27:20Z"].map(Date.parse) as [number, number, number];

beforeEach(() => {
  vi.useFakeTimers({ now: opened, toFake: ["Date"] });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a page is not live while the server does not respond, even if its event stream is still open", async () => {
  setLiveState({ status: "live", until: opened });
  render(<LiveNote />);
  expect(screen.getByText("Live")).toBeTruthy();
  vi.setSystemTime(heard);
  act(() => noteAnswer(200));
  vi.setSystemTime(silent);
  act(() => noteSilence());
  expect(screen.getByText(`Not live since ${timeWithSeconds(heard)}`)).toBeTruthy();
  await act(() => probe());
  expect(screen.getByText("Live")).toBeTruthy();
});
