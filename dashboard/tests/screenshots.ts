import { addresses, recordAddresses } from "./support/addresses";
import { expect, test } from "./support/seeded";
import { settled } from "./support/look";

// `make screenshots` runs this file. It saves every page with data, wide and narrow, light and dark.
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 360]) {
    test(`screenshots ${colorScheme} ${width}`, async ({ page, seeded, project, signIn, context }) => {
      test.setTimeout(240_000);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const folder = `screenshots/${colorScheme}-${width}`;
      const save = (name: string, fullPage = false) => page.screenshot({ path: `${folder}/${name.replaceAll(/[/ ]/g, "-")}.png`, fullPage });

      await page.goto("/app/login");
      await expect(page.getByLabel("Email address")).toBeVisible();
      await save("login");
      await page.goto("/app/setup#aaaaaaaaaaaaaaaa");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await save("setup");
      await page.goto(`/app/invite#${(await project.invite("viewer")).token}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await save("invite");

      await signIn();
      const views = {
        "flag channels": `flags/${seeded.flag}?tab=channels`,
        "flag variations": `flags/${seeded.flag}?tab=variations`,
        "flag explain": `flags/${seeded.flag}?tab=explain`,
        "flag health": `flags/${seeded.flag}?tab=health`,
        "release errors": `releases/${seeded.rolledBackRelease}?tab=errors`,
        "release patches": `releases/${seeded.release}?tab=patches`,
        "new policy": "policies/new",
      };
      const pages = { ...Object.fromEntries(["../projects", ...addresses].map((address) => [address.replace("../", ""), address])), ...recordAddresses(seeded), ...views };
      for (const [name, address] of Object.entries(pages)) {
        await page.goto(`/app/${seeded.slug}/${address}`);
        await settled(page);
        await save(name, true);
      }
      await page.goto(`/app/${seeded.slug}/overview`);
      await page.getByRole("button", { name: /^Roll back/ }).first().click();
      await expect(page.getByRole("dialog").getByRole("button", { name: "Roll back" })).toBeVisible();
      await expect(page.getByRole("dialog").getByRole("status", { name: "Loading" })).toHaveCount(0);
      await save("dialog");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog")).toBeVisible();
      await save("palette");
      await context.clearCookies();
    });
  }
}
