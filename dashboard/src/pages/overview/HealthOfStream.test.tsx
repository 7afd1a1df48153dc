import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Stream } from "@/api/overview";
import { HealthOfStream } from "./HealthOfStream";

afterEach(cleanup);

type Served = Stream["served"][number];
const healthy: Served = {
  updateId: 7,
  updateUuid: "6b0c4b9e-5b1a-4c6f-9d59-1f8a3ce2d001",
  devices: 1204,
  crashFreePercentage: 98.5,
  crashRate: 1.5,
  errorRate: 1.5,
  crashLimit: { rate: 2, source: "incidents" },
  errorLimit: { rate: 2, source: "incidents" },
};
const shown = (...served: Served[]) => render(<HealthOfStream row={{ devices: 2000, served } as Stream} />).container.textContent;
const isRed = (text: string) => screen.getByText(text).className.includes("text-bad");

test("a rate within the limit is not red, and its devices are shown", () => {
  expect(shown(healthy)).toContain("of 1,204 devices");
  expect(isRed("98.5%")).toBe(false);
});

test("a rate past the limit that applies to the release is red, and the limit is shown", () => {
  const text = shown({ ...healthy, crashLimit: { rate: 1, source: "policy" } });
  expect(isRed("98.5%")).toBe(true);
  expect(isRed("1.5%")).toBe(false);
  expect(text).toContain("below 99%, the threshold of its policy");
});

test("releases that are served at the same time have their own figures", () => {
  const text = shown({ ...healthy, updateId: 9, devices: 12, crashFreePercentage: 90, crashRate: 10 }, healthy);
  expect(text).toContain("Crash-free #9");
  expect(text).toContain("Crash-free #7");
  expect(isRed("90%")).toBe(true);
  expect(isRed("98.5%")).toBe(false);
});

test("releases with the same message are told apart by their numbers", () => {
  const named = (updateId: number) => ({ updateId, releaseMessage: "Fixes", runtimeVersion: "1.0.0" });
  const row = { devices: 2000, served: [{ ...healthy, updateId: 9 }, healthy], release: named(7), rollout: named(9) };
  const text = render(<HealthOfStream row={row as unknown as Stream} />).container.textContent;
  expect(text).toContain("Crash-free Fixes #9");
  expect(text).toContain("Crash-free Fixes #7");
});

test("figures are unknown without telemetry", () => {
  expect(shown({ ...healthy, devices: null, crashFreePercentage: null, crashRate: null, errorRate: null })).not.toContain("of ");
  expect(screen.getAllByText("—")).toHaveLength(2);
});
