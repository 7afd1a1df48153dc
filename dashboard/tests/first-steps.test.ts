import { randomUUID } from "node:crypto";
import { url } from "./support/project";
import { accessible } from "./support/axe";
import { expect, test } from "./support/test";

test("the first steps tick themselves until the first device has reported, and then disappear", async ({ page, project, signIn }) => {
  await signIn("admin");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/ota/devices")) asked.push(request.url());
  });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/v1\/ota\/devices/, async (route) => {
    await answered;
    await route.continue();
  });
  const begun = page.waitForRequest(/\/v1\/ota\/devices/);
  await page.goto(`/app/${project.slug}/overview`);
  await begun;
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  await expect(page.getByText("No releases and no reports yet."), "it is not known yet whether the steps are shown").toHaveCount(0, { timeout: 1 });
  answer();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("0 of 4 done");
  const command = steps.locator("code", { hasText: "waft publish" });
  expect(await command.evaluate((element) => element.scrollWidth - element.clientWidth), "the whole command can be read").toBe(0);
  await expect(steps.getByText(`${url}/v1/ota/manifest/${project.slug}`, { exact: true })).toBeVisible();
  const configuration = JSON.parse((await steps.getByRole("region", { name: "Configuration for app.json" }).textContent()) ?? "") as { expo: { updates: object } };
  expect(configuration.expo.updates).toEqual({ url: `${url}/v1/ota/manifest/${project.slug}`, requestHeaders: { "expo-channel-name": "production" } });
  expect(asked, "the list costs one request").toHaveLength(1);
  await accessible(page);

  await steps.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ci");
  await dialog.getByRole("button", { name: "New key" }).click();
  await expect(dialog.locator("code")).toContainText("waft_");
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(steps).toContainText("1 of 4 done");

  const release = await project.publish("The first");
  await expect(steps, "the event stream ticks the step").toContainText("2 of 4 done");

  const device = `d-${randomUUID()}`;
  const ask = () =>
    project.request.get(`${url}/v1/ota/manifest/${project.slug}?channel=production`, {
      headers: { "Eas-Client-Id": device, "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", Accept: "multipart/mixed", "Expo-Protocol-Version": "1" },
    });
  await expect.poll(async () => (await ask()).status(), { intervals: [50] }).toBe(200);
  const reported = await project.request.post(`${url}/v1/ota/health-metrics`, {
    data: {
      projectSlug: project.slug,
      deviceId: device,
      platform: "ios",
      runtimeVersion: "1.0.0",
      channel: "production",
      updateUuid: release.updateUuid,
      events: [{ type: "app_launch", count: 1 }],
    },
  });
  expect(reported.status()).toBe(204);
  await expect(steps).toHaveCount(0);
  await expect(page.getByRole("group", { name: "iOS Runtime 1.0.0" })).toBeVisible();
});

test("the first steps stay hidden once they are dismissed", async ({ page, project, signIn }) => {
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("button", { name: "Create a key" })).toHaveAttribute("title", /Only admins/);
  await steps.getByRole("button", { name: "Hide the first steps" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("Last changes")).toBeVisible();
  await expect(steps).toHaveCount(0);
});
