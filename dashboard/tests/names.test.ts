import { rollOut } from "./support/devices";
import { expect, test } from "./support/test";

test("a release is its message and version, even if 650 releases are newer, and search finds versions", async ({ page, project, signIn }) => {
  test.setTimeout(240_000);
  const { rollout } = await rollOut(project, "Faster checkout", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const build = await project.upload("Many", undefined, "android");
  await project.call("POST", "/v1/ota/channels", { name: "beta" });
  for (let index = 0; index < 650; index += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        project.call("POST", "/v1/ota/updates", { buildId: build.id, channel: "beta", releaseMessage: index + n === 7 ? "Release 2.4.0" : index + n === 500 ? "Release 2.4.1" : `Newer ${index + n}` }),
      ),
    );
  }
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await expect(page.getByRole("heading", { level: 1, name: "Rollout of Faster checkout · 1.0.0" })).toBeVisible();
  await expect(page).toHaveTitle(/^Rollout of Faster checkout · 1\.0\.0/);
  await expect(page.getByRole("link", { name: "Faster checkout · 1.0.0" })).toBeVisible();
  await page.goto(`/app/${project.slug}/rollouts`);
  await expect(page.getByRole("link", { name: "Faster checkout" })).toBeVisible();

  await page.keyboard.press("Control+k");
  const input = page.getByRole("dialog").getByRole("combobox");
  await input.fill("2.4.0");
  await expect(page.getByRole("option", { name: /^Release 2\.4\.0 · 1\.0\.0/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /2\.4\.1/ })).toHaveCount(0);
  await input.fill("9.9.9");
  await expect(page.getByRole("option")).toHaveCount(0);
});
