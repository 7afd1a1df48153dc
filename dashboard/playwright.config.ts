import { defineConfig } from "@playwright/test";

// e2e/dashboard_test.go starts the engines and the server, and says where they are.
const chromium = process.env.CHROMIUM;

// Takes engines away from the server of e2e/dashboard_outages_test.go.
const outages = "outages.test.ts";

// The tests of the project that seed.ts makes.
const seeded = ["every-page.test.ts", "numbers.test.ts", "page-commands.test.ts"];

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Deadlines only end what hangs, even on a slow and busy machine. bench/ measures how fast pages are.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A test that passes only when it is repeated is flaky: the results say so. It stops when more than five fail.
  retries: Number(process.env.WAFT_TEST_RERUNS ?? 2),
  maxFailures: 6,
  reporter: [["list"], ["../tools/results.mts"]],
  use: {
    baseURL: process.env.WAFT_URL,
    viewport: { width: 1440, height: 900 },
    // Without these, a wrong locator ends a test only after its whole time.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Recording slows every test, so it is asked for.
    trace: process.env.WAFT_TEST_TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: chromium,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  projects: process.env.WAFT_OUTAGES ? [{ name: "outages", testMatch: outages }] : [
    // The first account can be made once; everything else needs it.
    { name: "first run", testMatch: "first-run.test.ts" },
    // One project with something on every page, made while the tests run that need none.
    { name: "seed", testMatch: "seed.ts", dependencies: ["first run"] },
    ...(process.env.WAFT_SCREENSHOTS
      ? [{ name: "screenshots", testMatch: "screenshots.ts", dependencies: ["seed"] }]
      : [
          { name: "pages", testMatch: "*.test.ts", testIgnore: ["first-run.test.ts", outages, ...seeded], dependencies: ["first run"] },
          { name: "every page", testMatch: seeded, dependencies: ["seed"] },
        ]),
  ],
});
