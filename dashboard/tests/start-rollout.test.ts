import { expect, test } from "./support/test";
import type { Project } from "./support/project";

const makePolicy = (project: Project, name: string) =>
  project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", { name, stages: [{ percentage: 10, minDurationMinutes: 600 }, { percentage: 100 }] });

const rollouts = (project: Project) => project.call<{ id: number; updateId: number; policyId: number }[]>("GET", "/v1/ota/rollout-executions");

test("a release is rolled out from its page by a policy, after its effect is shown", { tag: "@short" }, async ({ page, project, signIn }) => {
  await makePolicy(project, "hasty");
  const careful = await makePolicy(project, "careful");
  await project.publish("Old");
  const release = await project.publish("New", undefined, "production", "ios", { rolloutPercentage: 0 });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/releases/${release.id}`);
  await page.getByRole("button", { name: "Start a rollout" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Start the rollout" })).toHaveAttribute("title", "Choose a rollout policy.");
  await dialog.getByLabel("Rollout policy").fill("careful");
  await page.getByRole("option", { name: "careful" }).click();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("careful");
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("10%");
  await dialog.getByRole("button", { name: "Start the rollout" }).click();
  await expect(page).toHaveURL(/\/rollouts\/\d+$/);
  const [started] = await rollouts(project);
  expect(started).toMatchObject({ updateId: release.id, policyId: careful.id });
  expect(page.url()).toContain(`/rollouts/${started?.id}`);

  await page.goto(`/app/${project.slug}/releases/${release.id}`);
  await expect(page.getByRole("button", { name: "Start a rollout" })).toHaveAttribute("title", "This release already has a rollout.");
});

test("a release is chosen by its message among the enabled ones on the page of rollouts", async ({ page, project, signIn }) => {
  await makePolicy(project, "careful");
  const off = await project.publish("Broken checkout");
  await project.call("PATCH", `/v1/ota/updates/${off.id}`, { isEnabled: false });
  const release = await project.publish("Checkout mended", undefined, "production", "ios", { rolloutPercentage: 0 });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await page.getByRole("link", { name: "Rollouts" }).first().click();
  await page.getByRole("button", { name: "Start a rollout" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Release", { exact: true }).fill("checkout");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option", { name: "Checkout mended" }).click();
  await dialog.getByLabel("Rollout policy").fill("careful");
  await page.getByRole("option", { name: "careful" }).click();
  await dialog.getByRole("button", { name: "Start the rollout" }).click();
  await expect(page).toHaveURL(/\/rollouts\/\d+$/);
  expect((await rollouts(project)).map((each) => each.updateId)).toEqual([release.id]);
});

test("a rollout that cannot start says why, and the dialog stays", async ({ page, project, signIn }) => {
  await makePolicy(project, "careful");
  const old = await project.publish("Old");
  await project.publish("Newer, for every device");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/releases/${old.id}`);
  await page.getByRole("button", { name: "Start a rollout" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Rollout policy").fill("careful");
  await page.getByRole("option", { name: "careful" }).click();
  await expect(dialog.getByRole("alert")).toContainText("republish it to roll it out");
  await expect(dialog).toBeVisible();
});
