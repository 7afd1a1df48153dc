import { axe } from "./support/axe";
import { expect, test } from "./support/test";

interface Stop {
  active: boolean;
  reason: string;
  channels: number[];
  executions: number[];
}

test("a project is stopped and resumed, each time after the effect is shown", async ({ page, project, signIn }) => {
  const { build } = await project.publish("The first");
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "Careful",
    stages: [{ percentage: 100, minDurationMinutes: 600 }],
  });
  const release = await project.call<{ rolloutExecutionId: number }>("POST", "/v1/ota/updates", {
    buildId: build.id,
    channel: "production",
    rolloutPolicyId: policy.id,
  });
  const rollout = `/v1/ota/rollout-executions/${release.rolloutExecutionId}`;
  await project.call("POST", "/v1/ota/health-metrics", {
    projectSlug: project.slug,
    deviceId: "of a new install",
    channel: "production",
    platform: "ios",
    runtimeVersion: "1.0.0",
    updateUuid: null,
    events: [{ type: "app_launch", count: 1 }],
  });
  await expect
    .poll(async () => (await project.call<{ devices: number }[]>("GET", "/v1/ota/overview")).reduce((sum, { devices }) => sum + devices, 0))
    .toBe(1);
  await expect
    .poll(async () => (await project.call<{ devicesAffected: number }>("POST", "/v1/ota/emergency-stop/preview", { reason: "?" })).devicesAffected)
    .toBe(1);

  await signIn("editor");
  await page.goto(`/app/${project.slug}/settings/project`);
  await page.getByRole("button", { name: "Stop the project" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop the project" });
  const effect = dialog.getByRole("region", { name: "What this does" });
  await expect(effect).toContainText("1 device will change release");
  await expect(effect).toContainText("The rollout of ");
  await expect(effect).toContainText("production, staging: running → paused");
  await axe(page);

  const stop = dialog.getByRole("button", { name: "Stop the project" });
  await expect(stop).toHaveAccessibleDescription("Give a reason first.");
  await dialog.getByLabel("Reason").fill("Payments fail");
  await stop.hover();
  await axe(page, { rules: ["color-contrast"], within: "[role=dialog]" });
  await page.emulateMedia({ colorScheme: "dark" });
  await axe(page, { rules: ["color-contrast"], within: "[role=dialog]" });
  await page.emulateMedia({ colorScheme: "light" });
  await stop.click();
  await expect(page.getByRole("main").getByText("Payments fail")).toBeVisible();
  expect(await project.call<Stop>("GET", "/v1/ota/emergency-stop")).toMatchObject({ active: true, reason: "Payments fail", executions: [release.rolloutExecutionId] });
  expect((await project.call<{ status: string }>("GET", rollout)).status).toBe("paused");

  await page.getByRole("main").getByRole("button", { name: "Resume the project" }).click();
  const end = page.getByRole("dialog", { name: "Resume the project" });
  await expect(end.getByRole("region", { name: "What this does" })).toContainText("1 device will change release");
  await expect(end.getByRole("region", { name: "What this does" })).toContainText("production, staging: paused → running");
  await end.getByRole("button", { name: "Resume the project" }).click();
  await expect(page.getByRole("button", { name: "Stop the project" })).toBeVisible();
  expect((await project.call<Stop>("GET", "/v1/ota/emergency-stop")).active).toBe(false);
  expect((await project.call<{ status: string }>("GET", rollout)).status).toBe("running");
});

test("the stop dialog does not become a resume dialog when someone else stops the project first", async ({ page, project, signIn }) => {
  await signIn("editor");
  await page.goto(`/app/${project.slug}/settings/project`);
  await page.getByRole("button", { name: "Stop the project" }).click();
  const stop = page.getByRole("dialog").getByRole("button", { name: "Stop the project" });
  await expect(stop).toBeVisible();
  await project.call("POST", "/v1/ota/emergency-stop", { reason: "Payments fail" });
  // Content behind the dialog is hidden from screen readers, so it is found by its text.
  await expect(page.getByText("Payments fail").first()).toBeVisible();
  await expect(stop).toBeVisible();
});
