import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { url } from "./support/project";
import { test } from "./support/test";

test("a sample of an error has its breadcrumbs, the oldest of many on request", async ({ page, project, signIn }) => {
  const taps = Array.from({ length: 12 }, (_, index) => ({ timestamp: `2026-11-29T21:50:${10 + index}.100Z`, category: "ui.tap", message: `Item ${index}` }));
  const breadcrumbs = [...taps, { message: "The prices of the cache are used", level: "warning", data: { url: "/prices" } }];
  const events = [{ type: "crash", count: 1, message: "undefined is not a function", errorName: "TypeError", breadcrumbs }];
  const report = { projectSlug: project.slug, deviceId: `d-${randomUUID()}`, platform: "ios", runtimeVersion: "1.0.0", channel: "production", events };
  await expect.poll(async () => (await project.request.post(`${url}/v1/ota/health-metrics`, { data: report })).status()).toBe(204);
  const groups = () => project.call<{ fingerprint: string }[]>("GET", "/v1/ota/observe/groups");
  await expect.poll(async () => (await groups()).length).toBe(1);
  await signIn("viewer");

  await page.goto(`/app/${project.slug}/observe/${(await groups())[0]?.fingerprint}`);
  await page.getByText("Stack, breadcrumbs, tags and flags").click();
  const shown = page.getByRole("region", { name: "Breadcrumbs" }).getByRole("listitem");
  await expect(shown.filter({ hasText: "The prices of the cache are used" })).toContainText(/Warning.*url: \/prices/);
  await expect(shown.filter({ hasText: "Item 3" })).toContainText(/\d\d:50:13.*Info.*ui\.tap/);
  await expect(shown.filter({ hasText: "Item 2" })).toBeHidden();
  await page.getByText("3 earlier breadcrumbs").click();
  await expect(shown.filter({ hasText: "Item 2" })).toBeVisible();
});
