// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Schemas } from "@/api/client";
import { strings } from "./strings";
import { Why } from "./Why";

afterEach(cleanup);

/** Returns the text of the Go files that resolve a device's release. */
function source(): string {
  const folder = join(import.meta.dirname, "../../../../internal/decide/delivery");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

it("has words for every step and outcome of the server", () => {
  const code = source();
  const steps = new Map([...code.matchAll(/(Step\w+)\s+= "(\w+)"/g)].map(([, constant, name]) => [constant!, name!]));
  const outcomes = new Map([...code.matchAll(/(Outcome\w+) Outcome = "(\w+)"/g)].map(([, constant, name]) => [constant!, name!]));
  const recorded = [...code.matchAll(/\.add\((Step\w+), "(\w+)"/g)].map(([, step, outcome]) => [steps.get(step!)!, outcome!] as const);
  const body = /func \(rel \*release\) outcomeFor[\s\S]*?\n}/.exec(code)![0];
  const ofDevice = [...body.matchAll(/outcome, detail :?= (Outcome\w+)/g)].map(([, constant]) => ["device", outcomes.get(constant!)!] as const);
  expect(recorded.length).toBeGreaterThan(12);
  expect(ofDevice.length).toBeGreaterThan(3);
  for (const [step, outcome] of [...recorded, ...ofDevice]) {
    expect(strings.why.steps[step], step).toBeTruthy();
    expect(strings.why.decided[step]?.[outcome], `${step}: ${outcome}`).toBeTruthy();
  }
});

it("says what each step decided, and leaves out what it does not know", () => {
  const resolution = {
    outcome: "no_update", updateId: null, updateUuid: null, release: null, branchName: null,
    steps: [
      { step: "channel", outcome: "open", detail: "channel production is not paused" },
      { step: "branch", outcome: "channel", detail: "channel production points to branch main" },
      { step: "release", outcome: "not_yet_invented", detail: "a new reason" },
    ],
  } as unknown as Schemas["Resolution"];
  render(<Why resolution={resolution} intro="Now it gets" />);
  const steps = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(steps).toEqual([
    "1ChannelServes releasesChannel production is not paused",
    "2BranchChosen by the channelChannel production points to branch main",
    "3ReleaseA new reason",
  ]);
});
