import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Stream } from "@/api/overview";
import { HealthOfStream } from "./HealthOfStream";

afterEach(cleanup);

type Served = Stream["served"][number];
const healthy: Served = {
  release: { updateId: 7, releaseMessage: "Stable", runtimeVersion: "1.0.0" } as Served["release"],
  updateId: 7,
  updateUuid: "6b0c4b9e-5b1a-4c6f-9d59-1f8a3ce2d001",
  devices: 1204,
  crashFreePercentage: 98.5,
  crashRate: 1.5,
  errorRate: 1.5,
  crashLimit: { rate: 2, source: "incidents" },
  errorLimit: { rate: 2, source: "incidents" },
};
const named = (updateId: number, releaseMessage: string) => ({ ...healthy, updateId, release: { ...healthy.release!, updateId, releaseMessage } });
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
  const text = shown({ ...named(9, "Faster"), devices: 12, crashFreePercentage: 90, crashRate: 10 }, healthy);
  expect(text).toContain("Crash-free devices Faster");
  expect(text).toContain("Crash-free devices Stable");
  expect(isRed("90%")).toBe(true);
  expect(isRed("98.5%")).toBe(false);
});

test("releases with the same message are told apart by their numbers", () => {
  const text = shown(named(9, "Stable"), healthy);
  expect(text).toContain("Crash-free devices Stable #9");
  expect(text).toContain("Crash-free devices Stable #7");
});

test("a release without reports has words in place of rates", () => {
  const text = shown({ ...healthy, devices: 0, crashFreePercentage: null, crashRate: null, errorRate: null });
  expect(screen.getAllByText("No reports yet")).toHaveLength(2);
  expect(text).not.toContain("—");
  expect(text).not.toContain("0 devices");
});

test("figures are unknown without telemetry", () => {
  expect(shown({ ...healthy, devices: null, crashFreePercentage: null, crashRate: null, errorRate: null })).not.toContain("of ");
  expect(screen.getAllByText("—")).toHaveLength(2);
});
