import type { Locator } from "@playwright/test";
import { Devices } from "./support/devices";
import { evaluate } from "./support/evaluate";
import { expect, test, type Page } from "./support/test";

const effect = (dialog: Locator) => dialog.getByRole("region", { name: "What this does" });

async function choose(page: Page, action: string): Promise<Locator> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
  return page.getByRole("dialog");
}

test("each change of a release shows its effect before it is confirmed", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 4);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", 3);
  const { id } = await project.publish("Newer");
  const release = () => project.call<{ isEnabled: boolean; isCritical: boolean; rolloutPercentage: number }>("GET", `/v1/ota/updates/${id}`);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/releases/${id}`);

  let dialog = await choose(page, "Turn off");
  await expect(effect(dialog)).toContainText("Newer · iOS · 1.0.0: 100% of devices → off");
  await expect(effect(dialog)).toContainText("4 devices will change release");
  expect((await release()).isEnabled, "a preview changes nothing").toBe(true);
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(dialog).toHaveCount(0);
  dialog = await choose(page, "Turn on");
  await expect(effect(dialog)).toContainText("off → 100% of devices");
  await expect(effect(dialog)).toContainText("4 devices will change release");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog).toHaveCount(0);

  dialog = await choose(page, "Make critical");
  await expect(effect(dialog)).toContainText("100% of devices, not critical → 100% of devices, critical");
  await dialog.getByRole("button", { name: "Make critical" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await release()).isCritical).toBe(true);

  dialog = await choose(page, "Change the rollout percentage");
  await dialog.getByLabel("Rollout percentage").fill("0");
  await expect(effect(dialog)).toContainText("100% of devices → 0% of devices");
  await expect(effect(dialog)).toContainText("4 devices will change release");
  await dialog.getByRole("button", { name: "Change the rollout percentage" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await release()).rolloutPercentage).toBe(0);

  await page.getByRole("button", { name: "Republish" }).click();
  dialog = page.getByRole("dialog");
  await expect(effect(dialog)).toContainText("A new release · Newer · iOS · 1.0.0: to 100% of devices");
  await expect(effect(dialog)).toContainText("4 devices will change release");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  dialog = await choose(page, "Delete");
  await expect(effect(dialog)).toContainText("Newer · iOS · 1.0.0: 0% of devices → deleted");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/releases$/);
});

test("changes of flags and segments show how many devices get another value", async ({ page, project, signIn }) => {
  const condition = (channel: string) => [{ attribute: "channel", operator: "eq", valuesJson: [channel] }];
  const segment = await project.call<{ key: string }>("POST", "/v1/ota/segments", { name: "Here", matchType: "all", conditions: condition("production") });
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean", defaultValue: true });
  await project.call("POST", `/v1/ota/flags/${flag.id}/rules`, { ruleType: "segment", ruleConfig: { segmentKey: segment.key }, variantValue: "true" });
  const devices = await Devices.make(project, 2);
  const { updateUuid } = await project.publish("Stable");
  await devices.report(updateUuid, "app_launch", 1);
  for (const [device, channel] of [["a", "production"], ["b", "production"], ["c", "staging"]] as const) await evaluate(project, device, channel);
  await expect.poll(async () => (await project.call<unknown[]>("GET", "/v1/ota/contexts")).length).toBe(3);
  await project.call("PATCH", `/v1/ota/flags/${flag.id}/env/production`, { defaultValue: true });
  await project.call("PATCH", `/v1/ota/flags/${flag.id}/env/staging`, { defaultValue: false });
  await signIn("editor");

  await page.goto(`/app/${project.slug}/segments`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Value 1").fill("staging");
  await expect(effect(dialog)).toContainText("checkout: a rule uses this segment");
  const save = dialog.getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();

  // Saving waits for the effect of the values that are shown. If it cannot be loaded, the dialog says so.
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  await page.route("**/v1/ota/segments/*/preview", async (route) => {
    await ended;
    await route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ code: "unavailable", detail: "ClickHouse is unavailable" }) });
  });
  await dialog.getByLabel("Value 1").fill("beta");
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription(/preview is still loading/);
  end();
  await expect(effect(dialog)).toContainText("You can still confirm, but without knowing how many devices this affects.");
  await expect(save).toBeEnabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // A switch in the list asks first.
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("switch", { name: "checkout on staging" }).click();
  await expect(effect(dialog)).toContainText("devices will get another flag value");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("checkout is off on staging.")).toBeVisible();
  await expect(page.getByRole("switch", { name: "checkout on staging" })).toHaveAttribute("aria-checked", "false");

  await page.goto(`/app/${project.slug}/flags/${flag.id}?tab=channels`);
  await page.getByRole("button", { name: "Copy staging to another channel" }).click();
  await dialog.getByLabel("To channel").fill("production");
  await page.getByRole("option", { name: "production" }).click();
  await expect(effect(dialog)).toContainText("2 devices will get another flag value");
  await expect(effect(dialog)).toContainText("2 devices: On → Off");
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(effect(dialog)).toContainText("devices have reported this flag in the last 7 days");
  await dialog.getByLabel("Type checkout to confirm").fill("checkout");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).toHaveURL(/\/flags$/);
});

test("a user override shows what the user's devices get, before it is created and before it is deleted", async ({ page, project, signIn }) => {
  await project.publish("Usual");
  await project.publish("Next checkout", undefined, "staging");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overrides`);
  await page.getByRole("button", { name: "Add an override" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User ID").fill("ada");
  await dialog.getByLabel("Branch").fill("staging");
  await page.getByRole("option", { name: "staging" }).click();
  await expect(effect(dialog)).toContainText('The devices of user "ada" would get the releases of branch staging on every channel.');
  await expect(effect(dialog)).toContainText("Next checkout");
  expect(await project.call("GET", "/v1/ota/user-overrides"), "a preview changes nothing").toEqual([]);
  await dialog.getByRole("button", { name: "Add an override" }).click();
  await page.getByRole("button", { name: "Delete the override of ada" }).click();
  await expect(effect(dialog)).toContainText("would get the releases of their channels again");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("The override is deleted.")).toBeVisible();
});

test("the deletion of a channel shows its effect before it is confirmed", async ({ page, project, signIn }) => {
  await project.call("POST", "/v1/ota/branches", { name: "old" });
  await project.call("POST", "/v1/ota/channels", { name: "old", branchName: "old" });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/channels`);
  await page.getByRole("button", { name: "Actions for old" }).first().click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(effect(dialog)).toContainText("Channel old would be deleted. Its devices keep what they run and do not get updates any more.");
  await dialog.getByLabel("Type old to confirm").fill("old");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("The channel is deleted.")).toBeVisible();
});
