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
    // Threads start sooner than processes, which are the default. Files share threads, their modules and their document, because loading
    // these takes most of the time. src/testing/setup.ts empties the document before each file.
    pool: "threads",
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: "components", environment: "happy-dom", include: ["src/**/*.test.tsx"], exclude: ["src/**/*.mocked.test.tsx"], setupFiles: ["src/testing/setup.ts"] },
      },
      // They replace modules, so each file has its own.
      { extends: true, test: { name: "mocked", environment: "happy-dom", isolate: true, include: ["src/**/*.mocked.test.tsx"], setupFiles: ["src/testing/setup.ts"] } },
      // Creating a document takes longer than most tests, so a file that needs one says so.
      { extends: true, test: { name: "logic", environment: "node", include: ["src/**/*.test.ts"] } },
    ],
  },
});
