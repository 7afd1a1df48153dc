import { defineConfig } from "@playwright/test";

// e2e/dashboard_test.go starts the engines and the server, and says where they are.
const chromium = process.env.CHROMIUM;

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    baseURL: process.env.WAFT_URL,
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  projects: [
    // The first account can be made once; everything else needs it.
    { name: "first run", testMatch: "first-run.test.ts" },
    process.env.WAFT_SCREENSHOTS
      ? { name: "screenshots", testMatch: "screenshots.ts", dependencies: ["first run"] }
      : { name: "pages", testMatch: "*.test.ts", testIgnore: "first-run.test.ts", dependencies: ["first run"] },
    // What is measured in time runs at the end, one after another.
    ...(process.env.WAFT_SCREENSHOTS ? [] : [{ name: "budgets", testMatch: "*.budget.ts", dependencies: ["pages"], fullyParallel: false, workers: 1 }]),
  ],
});
