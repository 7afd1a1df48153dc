import { fileURLToPath } from "node:url";
import { settled } from "./support/look";
import { seedShop } from "./support/seed/shop";
import { Project } from "./support/project";
import { expect, test as base } from "./support/test";

const folder = fileURLToPath(new URL("../../build/site-screenshots/", import.meta.url));

const test = base.extend({
  project: async ({ playwright }, use) => {
    const request = await playwright.request.newContext();
    await use(await Project.make(request, "Shop"));
    await request.dispose();
  },
});
test.use({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });

// The screenshots that the site of the documentation shows. docs/.vitepress/screenshots.ts finds them there.
test("the screenshots of the documentation", { tag: "@short" }, async ({ page, project, signIn }) => {
  const shop = await seedShop(project);
  await signIn();
  const pages = {
    rollout: `rollouts/${shop.running}`,
    "rolled-back": `rollouts/${shop.rolledBack}`,
    error: `observe/${shop.fingerprint}`,
    approval: `approvals/${shop.approval}`,
    flag: `flags/${shop.flag}`,
  };
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(`/app/${project.slug}/${address}`);
      await settled(page);
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.screenshot({ path: `${folder}${name}-${colorScheme}.png` });
    }
  }
});
