import { randomUUID } from "node:crypto";
import { accessible, axe } from "./support/axe";
import { Clicks } from "./support/clicks";
import { Devices, rollOut } from "./support/devices";
import { expect, test } from "./support/test";

test("the overview shows the running rollout first, with its stage and what it waits for", { tag: "@short" }, async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 30);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", 29);
  const { rollout } = await rollOut(project, "Faster checkout", [{ percentage: 10, minDevices: 50, minDurationMinutes: 600 }]);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const first = page.getByRole("region").first();
  await expect(first).toContainText("Faster checkout");
  await expect(first).toContainText("Stage 1 of 2 (10%)");
  await expect(first).toContainText("minimum of 50 devices");
  await expect(first).toContainText(/left/);
  await project.call("POST", `/v1/ota/rollout-executions/${rollout}/pause`, { reason: "Support checks two reports." });
  await expect(first).toContainText("Support checks two reports.");
  await axe(page);
});

test("a release that crashes in its rollout is the first card, with what is wrong, who rolled it back, and where to look", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 40);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", 39);
  const { rollout, updateUuid, id } = await rollOut(project, "Broken", [{ percentage: 50, minDevices: 1, minDurationMinutes: 600 }]);
  await rollOut(project, "On the way", [{ percentage: 10, minDevices: 50, minDurationMinutes: 600 }], "android");
  const inside = await devices.report(updateUuid, "crash", 6);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const first = page.getByRole("region").first();
  await expect(first).toHaveAccessibleName("Broken release Broken · 1.0.0");
  await expect(first).toContainText(`Crash-free 0% of ${inside.length} devices in 24 hours, below the limit of 98%`);
  await expect(first).toContainText(/Rolled back by Waft .* ago\. Reason: .*crash rate 100% breaches the threshold of 2%/);
  await expect(first).toContainText(`${inside.length} of 40 devices run it.`);
  await expect(first.getByRole("button", { name: "Roll back" })).toHaveCount(0);
  await expect(page.getByRole("region").nth(1)).toHaveAccessibleName("Rollout of On the way · 1.0.0");
  await accessible(page);
  await expect(first.getByRole("link", { name: "Broken · 1.0.0" })).toHaveAttribute("href", new RegExp(`/releases/${id}$`));
  await expect(first.getByRole("link", { name: "Rollout" })).toHaveAttribute("href", new RegExp(`/rollouts/${rollout}$`));
  await first.getByRole("link", { name: "Errors" }).click();
  await expect(page.getByText("Only Broken · 1.0.0")).toBeVisible();
});

test("a release with an incident is rolled back on both platforms from its card", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 20);
  for (const message of ["Good", "Bad"]) {
    const groupId = randomUUID();
    await project.publish(message, undefined, "production", "android", { groupId });
    await project.publish(message, undefined, "production", "ios", { groupId });
  }
  const [bad] = await project.call<{ id: number; updateUuid: string }[]>("GET", "/v1/ota/updates?limit=1");
  await devices.report(bad!.updateUuid, "crash", 19);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const card = page.getByRole("region", { name: "Broken release Bad · 1.0.0" });
  await expect(card).toContainText("Crash-free 0% of 20 devices in 24 hours, below the limit of 98%");
  await expect(card).toContainText("Devices still get it. 20 of 20 devices run it.");
  await accessible(page);
  await expect(card.getByRole("link", { name: "Incident" })).toHaveAttribute("href", /\/incidents\?status=open$/);
  await card.getByRole("button", { name: "Roll back Bad · 1.0.0" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: "iOS and Android" })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /^Good/ })).toBeChecked();
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back.")).toBeVisible();
  await expect(card).toContainText("Rolled back by");
  await expect(card.getByRole("button", { name: "Roll back Bad · 1.0.0" })).toHaveCount(0);
});

test("a rollout that waits for an approval says so, with a link to the approval", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout, id } = await rollOut(project, "Faster checkout", [{ percentage: 10, minDevices: 50, minDurationMinutes: 600 }]);
  await expect.poll(async () => (await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${id}`)).rolloutPercentage).toBe(10);
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/overview`);
  const card = page.getByRole("region", { name: "Rollout of Faster checkout · 1.0.0" });
  await expect(card.getByRole("heading", { name: "Rollout of Faster checkout · 1.0.0" })).toBeVisible();
  await expect(card).toContainText("Stage 1 of 2 (10%)");
  const { approval } = await project.call<{ approval: { id: number } }>("POST", `/v1/ota/rollout-executions/${rollout}/advance`, { reason: "It looks good" });
  const link = card.getByRole("link", { name: "Advancing it waits for approval" });
  await expect(link).toHaveAttribute("href", new RegExp(`/approvals/${approval.id}$`));
  await axe(page);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText('Advance the rollout of release "Faster checkout"');
});

test("what half of the fleet runs, and whether it is healthy, is shown one click after signing in", { tag: "@short" }, async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 6);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", 5);
  await signIn("viewer");
  await page.goto("/app/");
  const clicks = new Clicks();
  await clicks.on(page.getByRole("link", { name: project.slug }));
  const row = page.getByRole("group", { name: /^iOS/ });
  await expect(row.getByRole("img", { name: /Stable · 1\.0\.0 100%/ })).toBeVisible();
  await expect(row.getByText("Crash-free devices")).toBeVisible();
  clicks.expect(1, { most: 2 });
});
