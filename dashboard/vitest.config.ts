import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { runs } from "../tools/results.mts";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  test: {
    ...runs("dashboard"),
    restoreMocks: true,
    testTimeout: 30_000,
    // The default leaves one processor unused.
    maxWorkers: "100%",
    // Threads start sooner than processes, which are the default. Each file of the components has a new one.
    pool: "threads",
    projects: [
      { extends: true, test: { name: "components", environment: "happy-dom", include: ["src/**/*.test.tsx"], setupFiles: ["src/testing/setup.ts"] } },
      // Creating a document takes longer than most tests, so a file that needs one says so. Files share threads and modules, because
      // most modules keep no state.
      { extends: true, test: { name: "logic", environment: "node", isolate: false, include: ["src/**/*.test.ts"] } },
    ],
  },
});
