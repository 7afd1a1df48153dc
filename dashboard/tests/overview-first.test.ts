import { axe } from "./support/axe";
import { Clicks } from "./support/clicks";
import { Devices, rollOut } from "./support/devices";
import { expect, test } from "./support/test";

test("the overview shows the running rollout first, with its stage and what it waits for", async ({ page, project, signIn }) => {
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

test("what half of the fleet runs, and whether it is healthy, is shown one click after signing in", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 6);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", 5);
  await signIn("viewer");
  await page.goto("/app/");
  const clicks = new Clicks();
  await clicks.on(page.getByRole("link", { name: project.slug }));
  const row = page.getByRole("group", { name: /^iOS/ });
  await expect(row.getByRole("img", { name: /Stable · 1\.0\.0 100%/ })).toBeVisible();
  await expect(row.getByText("Crash-free")).toBeVisible();
  clicks.expect(1, { most: 2 });
});
