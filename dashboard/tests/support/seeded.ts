import { readFileSync } from "node:fs";
import { Project } from "./project";
import type { Seed } from "./seed";
import { test as base } from "./test";

/** The file through which the seed passes its records to the tests. Playwright empties the folder before a run. */
export const seedFile = new URL("../../test-results/seed.json", import.meta.url);

/** For tests that share one seeded project. They must not change it. */
export const test = base.extend<{ seeded: Seed }>({
  seeded: async ({}, use) => {
    await use(JSON.parse(readFileSync(seedFile, "utf8")) as Seed);
  },
  project: async ({ playwright, seeded }, use) => {
    const request = await playwright.request.newContext();
    await use(new Project(request, seeded.slug, seeded.name));
    await request.dispose();
  },
});

export { expect } from "@playwright/test";
