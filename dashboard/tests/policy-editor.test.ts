import { axe } from "./support/axe";
import { Devices, rollOut } from "./support/devices";
import type { Project } from "./support/project";
import { expect, test } from "./support/test";

interface Policy {
  id: number;
  name: string;
  description: string;
  thresholds: { crashRate?: number; errorRate?: number; events?: { name: string; rate: number; direction: string }[] };
}

const made = (project: Project, body = {}) =>
  project.call<Policy>("POST", "/v1/ota/rollout-policies", {
    name: "Careful",
    stages: [{ percentage: 10, minDurationMinutes: 60 }, { percentage: 100 }],
    thresholds: { crashRate: 1 },
    ...body,
  });

test("the editor adds a threshold for a custom event, and the forecast follows", async ({ page, project, signIn }) => {
  const policy = await made(project);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/policies/${policy.id}`);
  const save = page.getByRole("button", { name: "Save" });
  const second = page.getByRole("region", { name: "If a release started now" }).getByRole("listitem").nth(1);
  await expect(second.getByRole("time")).toBeVisible();
  await page.getByRole("button", { name: "Add an event" }).click();
  await save.click();
  // The first invalid field has focus and shows its error.
  await expect(page.getByLabel("Event", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Event", { exact: true })).toHaveAccessibleDescription("This field is required.");
  await page.keyboard.type("checkout");
  await page.getByLabel("Devices, %").fill("90");
  // There is no device to report the event, so the first stage never ends.
  await expect(second.getByRole("time")).toHaveCount(0);
  await expect(second).toContainText("Never begins: too few devices.");
  await expect(page.getByRole("region", { name: "If a release started now" })).toContainText(/5% of devices crash\s*unknown/);
  await axe(page);
  await save.click();
  await expect(page.getByText("The policy is saved.")).toBeVisible();
  const saved = await project.call<Policy>("GET", `/v1/ota/rollout-policies/${policy.id}`);
  expect(saved.thresholds).toMatchObject({ crashRate: 1, events: [{ name: "checkout", direction: "below", rate: 90 }] });
  await page.getByRole("button", { name: "Delete event 1" }).click();
  await save.click();
  await expect.poll(async () => (await project.call<Policy>("GET", `/v1/ota/rollout-policies/${policy.id}`)).thresholds.events ?? []).toEqual([]);
});

test("the numbers of a stage are readable at 360 px, and Save stays visible", async ({ page, project, signIn }) => {
  const policy = await made(project, { stages: [{ percentage: 12.5, minDurationMinutes: 10_080, minDevices: 250_000 }, { percentage: 100 }] });
  await signIn("editor");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/app/${project.slug}/policies/${policy.id}`);
  const stage = page.getByRole("group", { name: "Stage 1" });
  for (const [label, value] of [["Percentage", "12.5"], ["Minimum minutes", "10080"], ["Minimum devices", "250000"]] as const) {
    const field = stage.getByLabel(label);
    await expect(field).toHaveValue(value);
    expect((await field.boundingBox())?.width).toBeGreaterThanOrEqual(120);
  }
  await page.getByRole("group", { name: "Stage 2" }).getByLabel("Minimum minutes").fill("5");
  await expect(page.getByRole("button", { name: "Save" })).toBeInViewport({ ratio: 1 });
  await axe(page);
});

test("a concurrent change is not overwritten without asking: it is loaded, or my edit continues on top of it", async ({ page, project, signIn }) => {
  const policy = await made(project);
  const path = `/v1/ota/rollout-policies/${policy.id}`;
  await signIn("editor");
  // The event stream is blocked, so that the page learns of the other change only when it saves.
  await page.route("**/v1/ota/stream", (route) => route.abort());
  await page.goto(`/app/${project.slug}/policies/${policy.id}`);
  const name = page.getByLabel("Name");
  const overtaken = page.getByRole("alert").filter({ hasText: "Someone else saved first" });

  await name.fill("Mine");
  await project.call("PATCH", path, { description: "Theirs", name: "Their name" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(overtaken).toBeVisible();
  await axe(page);
  expect((await project.call<Policy>("GET", path)).name).toBe("Their name");
  await overtaken.getByRole("button", { name: "Use their version" }).click();
  await expect(name).toHaveValue("Their name");
  await expect(overtaken).toHaveCount(0);

  await name.fill("Mine");
  await project.call("PATCH", path, { description: "Theirs again" });
  await page.getByRole("button", { name: "Save" }).click();
  await overtaken.getByRole("button", { name: "Keep my changes" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Theirs again");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The policy is saved.")).toBeVisible();
  expect(await project.call<Policy>("GET", path)).toMatchObject({ name: "Mine", description: "Theirs again" });
});

test("a policy in use is read-only, and names the rollouts that use it", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "Suspect", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const { policyId } = await project.call<{ policyId: number }>("GET", `/v1/ota/rollout-executions/${rollout}`);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/policies/${policyId}`);
  await expect(page.getByRole("note")).toContainText("A rollout is using this policy, so you cannot change the policy");
  await expect(page.getByLabel("Name")).toBeDisabled();
  await expect(page.getByRole("group", { name: "Stage 1" }).getByLabel("Percentage")).toBeDisabled();
  for (const field of [page.getByLabel("Name"), page.getByLabel("On a breach")]) {
    expect(await field.evaluate((element) => getComputedStyle(element).borderTopStyle), "it does not look editable").toBe("dashed");
  }
  await expect(page.getByRole("button", { name: "Add a stage" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save" }).first()).toBeDisabled();
  await axe(page);
  await page.getByRole("link", { name: /^Suspect · 1.0.0 · iOS/ }).click();
  await expect(page).toHaveURL(new RegExp(`rollouts/${rollout}$`));
  await page.goBack();
  await expect(page.getByLabel("Name")).toBeDisabled();
  await project.call("POST", `/v1/ota/rollout-executions/${rollout}/cancel`, { revert: true });
  await expect(page.getByLabel("Name"), "when the rollout has ended, it can be changed").toBeEnabled();
});
