import { defineConfig } from "@playwright/test";
import tests from "../playwright.config";

// bench/pages.go starts the server and passes its address. Measurements run one after the other, without other load.
export default defineConfig({
  ...tests,
  testDir: ".",
  outputDir: "../test-results/bench",
  projects: [{ name: "bench", testMatch: "*.bench.ts" }],
  fullyParallel: false,
  workers: 1,
  retries: 0,
  reporter: "list",
  timeout: 1_800_000,
});
