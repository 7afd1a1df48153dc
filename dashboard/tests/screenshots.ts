import { addresses } from "./support/addresses";
import { expect, test } from "./support/test";

// Run by `make screenshots`. Every page, wide and narrow, light and dark.
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 360]) {
    test(`screenshots ${colorScheme} ${width}`, async ({ page, project, signIn, context }) => {
      test.setTimeout(240_000);
      await project.publish("Checkout is faster");
      await project.publish("Fix the crash at start");
      await project.publish("Fix the crash at start", undefined, "production", "android");
      await signIn();
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const folder = `screenshots/${colorScheme}-${width}`;
      for (const address of ["../projects", ...addresses]) {
        await page.goto(`/app/${project.slug}/${address}`);
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        await page.waitForLoadState("load");
        await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
        await page.screenshot({ path: `${folder}/${address.replace("../", "").replaceAll("/", "-")}.png`, fullPage: true });
      }
      await page.goto(`/app/${project.slug}/overview`);
      await page.getByRole("button", { name: /^Roll back/ }).first().click();
      await expect(page.getByLabel("Back to")).toBeVisible();
      await page.screenshot({ path: `${folder}/dialog.png` });
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.screenshot({ path: `${folder}/palette.png` });
      await context.clearCookies();
      await page.goto("/app/login");
      await expect(page.getByLabel("E-mail address")).toBeVisible();
      await page.screenshot({ path: `${folder}/login.png` });
    });
  }
}
