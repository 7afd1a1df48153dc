/**
 * The results of Playwright and Vitest in one form: with WAFT_TEST_RESULTS, the absolute path of a folder, each run
 * writes `<runner>-<package>-<pid>.jsonl` there, a test per line. A test that passed only when it was repeated is flaky.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const folder = process.env.WAFT_TEST_RESULTS;

interface Line {
  suite: string;
  name: string;
  outcome: "passed" | "failed" | "flaky" | "skipped";
  seconds: number;
  firstFailure: string;
}

/** A failure as the runners report it. */
interface Failure {
  message?: string | undefined;
  stack?: string | undefined;
}

/** Returns the text of a failure without colours and without the places in other people's packages. */
function textOf(failure?: Failure): string {
  const lines = stripVTControlCharacters(failure?.stack ?? failure?.message ?? "").split("\n");
  return lines.filter((line) => !/^ +at (.*\/node_modules\/|new Promise )/.test(line)).join("\n");
}

function write(runner: string, name: string, lines: Line[]) {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const text = lines.map((line) => `${JSON.stringify({ runner, ...line })}\n`).join("");
  writeFileSync(`${folder}/${runner}-${name.replaceAll("/", "-")}-${process.pid}.jsonl`, text);
}

/** The fields of Playwright's TestCase that are used. */
interface PlaywrightTest {
  location: { file: string };
  titlePath: () => string[];
  outcome: () => "expected" | "unexpected" | "flaky" | "skipped";
  results: { duration: number; errors: Failure[] }[];
}

/** The reporter for playwright.config.ts. */
export default class PlaywrightResults {
  private root?: { allTests: () => PlaywrightTest[] };
  private readonly failures: Failure[] = [];

  onBegin(_: unknown, root: { allTests: () => PlaywrightTest[] }) {
    this.root = root;
  }

  /** Keeps a failure outside of tests, such as one of the configuration. */
  onError(failure: Failure) {
    this.failures.push(failure);
  }

  onEnd() {
    const outcomes = { expected: "passed", unexpected: "failed", flaky: "flaky", skipped: "skipped" } as const;
    const lines = (this.root?.allTests() ?? []).map((test): Line => {
      const [, , file = "", ...titles] = test.titlePath();
      return {
        suite: `dashboard/tests/${file}`,
        name: titles.join(" > "),
        outcome: outcomes[test.outcome()],
        seconds: test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        firstFailure: textOf(test.results.flatMap(({ errors }) => errors)[0]),
      };
    });
    const outside = this.failures.map((each): Line => ({ suite: "dashboard/tests", name: "", outcome: "failed", seconds: 0, firstFailure: textOf(each) }));
    write("playwright", "dashboard", [...lines, ...outside]);
  }
}

/** The fields of Vitest's TestModule that are used. */
interface VitestModule {
  relativeModuleId: string;
  project: { name: string };
  errors: () => Failure[];
  children: { allTests: () => Iterable<VitestTest>; allSuites: () => Iterable<{ fullName: string; errors: () => Failure[] }> };
}

interface VitestTest {
  fullName: string;
  result: () => { state: "passed" | "failed" | "skipped" | "pending"; errors?: readonly Failure[] | undefined };
  diagnostic: () => { duration: number; flaky: boolean } | undefined;
}

/** The settings that every vitest.config.ts shares; the package is named by its folder. */
export function runs(name: string) {
  const seed = process.env.WAFT_TEST_SHUFFLE;
  const results = {
    onTestRunEnd: (modules: readonly VitestModule[]) => {
      write("vitest", name, modules.flatMap((module) => linesOf(name, module)));
    },
  };
  return {
    retry: Number(process.env.WAFT_TEST_RERUNS ?? 2),
    // It stops when more than five tests fail.
    bail: 6,
    reporters: ["default", results] as [string, typeof results],
    sequence: seed ? { shuffle: true, seed: Number(seed) } : {},
  };
}

function linesOf(folder: string, module: VitestModule): Line[] {
  const suite = `${folder}/${module.relativeModuleId}`;
  const named = (name: string) => (module.project.name ? `[${module.project.name}] ${name}` : name);
  const lines = [...module.children.allTests()].map((test): Line => {
    const { state, errors } = test.result();
    const { duration = 0, flaky = false } = test.diagnostic() ?? {};
    const outcome = state === "pending" ? "skipped" : flaky ? "flaky" : state;
    return { suite, name: named(test.fullName), outcome, seconds: duration / 1000, firstFailure: textOf(errors?.[0]) };
  });
  // Failures outside of tests, such as a failed import or a failed hook.
  const outside = [{ fullName: "", errors: () => module.errors() }, ...module.children.allSuites()].flatMap((part) =>
    part.errors().map((each): Line => ({ suite, name: named(part.fullName), outcome: "failed", seconds: 0, firstFailure: textOf(each) })),
  );
  return [...lines, ...outside];
}
