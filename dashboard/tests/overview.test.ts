import { axe } from "./support/axe";
import { expect, test } from "./support/test";

test("a change elsewhere is shown without a reload, and a channel is paused after its name is typed", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "The first", exact: true })).toBeVisible();
  await project.publish("The second");
  await expect(page.getByRole("link", { name: "The second", exact: true })).toBeVisible();
  await axe(page);

  const production = page.getByRole("region", { name: "production" });
  await production.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await axe(page);
  // The button does nothing before the name is typed. The click is forced because it would otherwise wait until the button is enabled.
  await dialog.getByRole("button", { name: "Pause" }).click({ force: true });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Type production to confirm").fill("production");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(production.getByText("Paused")).toBeVisible();
  const channels = await project.call<{ name: string; isPaused: boolean }[]>("GET", "/v1/ota/channels");
  expect(channels.find((each) => each.name === "production")?.isPaused).toBe(true);
});

test("a dialog still asks for the same action when someone else was first", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const production = page.getByRole("region", { name: "production" });
  await production.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause the channel production" });
  await dialog.getByLabel("Type production to confirm").fill("production");
  await project.call("PATCH", "/v1/ota/channels/production", { isPaused: true });
  // Content behind the dialog is hidden from screen readers, so it is found by its text.
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("production is paused.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const channels = await project.call<{ name: string; isPaused: boolean }[]>("GET", "/v1/ota/channels");
  expect(channels.find((each) => each.name === "production")?.isPaused).toBe(true);
});

test("a release is rolled back at 360 px in three interactions", { tag: "@short" }, async ({ page, project, signIn }) => {
  const first = await project.publish("Good");
  await project.publish("Bad");
  await signIn("editor");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/app/${project.slug}/overview`);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/v1\/ota\/updates\?/, async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByRole("button", { name: "Roll back production · iOS" }).click();
  // The dialog does not preselect the embedded update before it knows the earlier releases.
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Roll back" });
  await expect(confirm).toHaveAccessibleDescription("Loading");
  answer();
  await expect(page.getByRole("radio", { name: /^Good/ })).toBeChecked();
  await axe(page);
  await confirm.click();
  await expect(page.getByText("Rolled back.")).toBeVisible();
  const [newest] = await project.call<{ republishedFromId: number }[]>("GET", "/v1/ota/updates?limit=1");
  expect(newest?.republishedFromId).toBe(first.id);
});

test("a viewer sees a disabled button with the reason", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/overview`);
  const pause = page.getByRole("region", { name: "production" }).getByRole("button", { name: "Pause" });
  await expect(pause).toHaveAttribute("aria-disabled", "true");
  await expect(pause).toHaveAccessibleDescription(/viewer/);
  await pause.click({ force: true });
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a new project shows how to publish the first release", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.locator("code", { hasText: "waft publish" })).toBeVisible();
});
