import { readFileSync } from "node:fs";
import { Project } from "./project";
import type { Seed } from "./seed";
import { test as base } from "./test";

/** Where the seeding leaves its records for the tests. Playwright empties the folder before a run. */
export const seedFile = new URL("../../test-results/seed.json", import.meta.url);

/** Tests of the project that was seeded once for all of them. They change nothing in it. */
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
