import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { runs } from "../tools/results.mts";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  test: {
    ...runs("dashboard"),
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
