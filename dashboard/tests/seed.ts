import { mkdirSync, writeFileSync } from "node:fs";
import { seed } from "./support/seed";
import { seedFile } from "./support/seeded";
import { test } from "./support/test";

test("a project with something on every page", async ({ playwright }) => {
  const request = await playwright.request.newContext();
  const seeded = await seed(request);
  mkdirSync(new URL(".", seedFile), { recursive: true });
  writeFileSync(seedFile, JSON.stringify(seeded));
});
