import { expect, test } from "./support/test";

test("a build is published to a channel by a policy after its effect is shown, and its rollout opens", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.publish("The old one");
  const build = await project.upload("The new one");
  await project.call("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean", defaultValue: false });
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "careful",
    stages: [{ percentage: 10, minDurationMinutes: 600 }, { percentage: 100 }],
  });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await page.getByRole("link", { name: "Builds" }).first().click();
  const row = page.getByRole("row", { name: /The new one/ });
  await expect(row).toContainText("Not published yet");
  await expect(row, "the root key uploaded it").toContainText(/by the root key/);
  await expect(page.getByRole("row", { name: /The old one/ }).getByRole("link", { name: "production" })).toBeVisible();

  await row.getByRole("button", { name: "Actions for The new one" }).click();
  await page.getByRole("menuitem", { name: "Publish to a channel" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toHaveAttribute("title", "Choose a channel.");
  await dialog.getByLabel("Channel").fill("production");
  await page.getByRole("option", { name: "production" }).click();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("100%");
  await expect(dialog.getByLabel("Type production to confirm"), "without a policy, every device gets it").toBeVisible();
  await dialog.getByLabel("Rollout policy").click();
  await page.getByRole("option", { name: "careful" }).click();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("careful");
  await expect(dialog.getByLabel("Type production to confirm")).toHaveCount(0);
  await dialog.getByLabel("Release notes").fill("Notes of the new one");
  await dialog.getByLabel("Add a flag").fill("check");
  await page.getByRole("option", { name: "checkout" }).click();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("checkout on the new release: not linked → true");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();

  await expect(page).toHaveURL(/\/rollouts\/\d+$/);
  const releases = await project.call<{ buildId: number; releaseMessage: string; rolloutExecutionId: number }[]>("GET", "/v1/ota/updates");
  expect(releases[0]).toMatchObject({ buildId: build.id, releaseMessage: "Notes of the new one", linkedFlags: [{ flagKey: "checkout", enabled: true }] });
  const [rollout] = await project.call<{ id: number; policyId: number }[]>("GET", "/v1/ota/rollout-executions");
  expect(rollout).toMatchObject({ id: releases[0]?.rolloutExecutionId, policyId: policy.id });
});

test("a build in use names its releases instead of being deleted, and an unused one is deleted", async ({ page, project, signIn }) => {
  const { id } = await project.publish("In production");
  await project.upload("Forgotten");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/builds`);
  await page.getByRole("button", { name: "Actions for In production" }).click();
  await page.getByRole("menuitem", { name: "Delete the build" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("This build is in use. Delete its releases first.");
  await expect(dialog.getByRole("button", { name: "Delete", exact: true })).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("link", { name: "In production" }).click();
  await expect(page).toHaveURL(new RegExp(`/releases/${id}$`));

  await page.goto(`/app/${project.slug}/builds?search=Forgotten`);
  await expect(page.getByRole("row", { name: /In production/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Actions for Forgotten" }).click();
  await page.getByRole("menuitem", { name: "Delete the build" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("The build is deleted.", { exact: true })).toBeVisible();
  expect((await project.call<{ message: string }[]>("GET", "/v1/ota/builds")).map((each) => each.message)).toEqual(["In production"]);
});

test("a source map is added to a build and deleted, and a file that is not a source map is refused with the reason", async ({ page, project, signIn }) => {
  await project.upload("With a map");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/builds`);
  const row = page.getByRole("row", { name: /With a map/ });
  await expect(row).toContainText("None");
  await page.getByRole("button", { name: "Actions for With a map" }).click();
  await page.getByRole("menuitem", { name: "Add a source map" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Source map").setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await dialog.getByRole("button", { name: "Upload" }).click();
  await expect(dialog.getByRole("alert")).toContainText("version");
  const map = JSON.stringify({ version: 3, sources: ["/src/cart.js"], names: [], mappings: "AAAA" });
  await dialog.getByLabel("Source map").setInputFiles({ name: "index.js.map", mimeType: "application/json", buffer: Buffer.from(map) });
  await dialog.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("The source map is stored.")).toBeVisible();
  await expect(row).toContainText(`${Buffer.byteLength(map)} B`);
  await page.getByRole("button", { name: "Actions for With a map" }).click();
  await expect(page.getByRole("menuitem", { name: "Replace the source map" })).toBeVisible();

  await page.getByRole("menuitem", { name: "Delete the source map" }).click();
  await expect(dialog).toContainText("Stack traces of this build show positions in the bundle.");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("The source map is deleted.")).toBeVisible();
  await expect(row).toContainText("None");
});

test("a viewer reads builds but cannot change them", async ({ page, project, signIn }) => {
  await project.upload("Mine");
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/builds`);
  await page.getByRole("button", { name: "Actions for Mine" }).click();
  await expect(page.getByRole("menuitem", { name: "Publish to a channel" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("menuitem", { name: "Delete the build" })).toHaveAttribute("aria-disabled", "true");
});
