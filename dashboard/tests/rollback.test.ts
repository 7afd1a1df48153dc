import { randomUUID } from "node:crypto";
import { axe } from "./support/axe";
import { Clicks } from "./support/clicks";
import { Devices, rollOut } from "./support/devices";
import { expect, test } from "./support/test";

interface Release {
  id: number;
  platform: string;
  isEnabled: boolean;
  republishedFromId: number | null;
  groupId: string;
}

test("the page of a replacement preselects a good release and lists the broken one below a line", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  const good = await project.publish("Good");
  const { id: broken, rollout } = await rollOut(project, "Broken", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const percentage = async () => (await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${broken}`)).rolloutPercentage;
  await expect.poll(percentage).toBe(10);
  // Stands for an automatic rollback: it publishes the same replacement.
  await project.call("POST", `/v1/ota/rollout-executions/${rollout}/rollback`, { scope: "release", reason: "crash rate 9% is above the threshold of 2%" });
  const [replacement] = await project.call<Release[]>("GET", "/v1/ota/updates?limit=1");
  expect(replacement?.republishedFromId).toBe(good.id);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/releases/${replacement?.id}`);
  await page.getByRole("button", { name: "Roll back" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: /^Good/ })).toBeChecked();
  const off = dialog.getByRole("group", { name: "Turned off" });
  await expect(off.getByRole("radio", { name: /^Broken/ })).toBeVisible();
  await expect(off).toContainText("Crash rate 9% is above the threshold of 2%");
  await axe(page);

  const effect = dialog.getByRole("region", { name: "What this does" });
  await off.getByRole("radio", { name: /^Broken/ }).check();
  await expect(dialog.getByRole("alert")).toContainText("This release was turned off.");
  await expect(effect).toContainText(`Release “Broken” (#${broken}) was disabled by`);
  await dialog.getByLabel("Reason").fill("It was the network");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back.")).toBeVisible();
  const [newest] = await project.call<Release[]>("GET", "/v1/ota/updates?limit=1");
  expect(newest?.republishedFromId).toBe(broken);
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("region", { name: "Last changes" })).toContainText("It was the network");
});

test("a rollout that was rolled back links to the release that devices went back to", async ({ page, project, signIn }) => {
  const good = await project.publish("Good");
  const { id: broken, rollout } = await rollOut(project, "Broken", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const percentage = async () => (await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${broken}`)).rolloutPercentage;
  await expect.poll(percentage).toBe(10);
  await signIn();
  await page.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await expect(page.getByRole("region", { name: "Stages" })).toBeVisible();
  await expect(page.getByText("Devices went back to")).toHaveCount(0);
  await project.call("POST", `/v1/ota/rollout-executions/${rollout}/rollback`, { scope: "release" });
  const wentBack = page.getByText("Devices went back to Good · 1.0.0");
  await expect(wentBack).toBeVisible();
  await axe(page);
  await wentBack.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Good");
  const successor = await project.call<Release>("GET", `/v1/ota/updates/${/releases\/(\d+)/.exec(page.url())?.[1]}`);
  expect(successor.republishedFromId).toBe(good.id);
});

test("both platforms are rolled back from the overview in two clicks, and one of them by choice", { tag: "@short" }, async ({ page, project, signIn }) => {
  for (const message of ["First", "Good", "Bad"]) {
    const groupId = randomUUID();
    await project.publish(message, undefined, "production", "ios", { groupId });
    await project.publish(message, undefined, "production", "android", { groupId });
  }
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const clicks = new Clicks();
  await clicks.on(page.getByRole("button", { name: /^Roll back production · iOS/ }));
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: "iOS and Android" })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /^Good/ })).toBeChecked();
  await clicks.on(dialog.getByRole("button", { name: "Roll back" }));
  await expect(page.getByText("Rolled back.")).toBeVisible();
  clicks.expect(2, { most: 3 });
  const [one, two] = await project.call<Release[]>("GET", "/v1/ota/updates?limit=2");
  expect([one?.platform, two?.platform].sort()).toEqual(["android", "ios"]);
  expect(one?.groupId).toBe(two?.groupId);

  const android = one?.platform === "android" ? one : two;
  await expect(page.getByRole("group", { name: /^Android/ }).locator(`a[href$="/releases/${android?.id}"]`)).toBeVisible();
  await page.getByRole("button", { name: /^Roll back production · Android/ }).click();
  const second = page.getByRole("dialog", { name: "Roll back production · Android" });
  // The newest release is a copy of "Good" now.
  await expect(second.getByRole("radio", { name: /^Good/ })).toHaveAccessibleName(/the same files as now/);
  await expect(second.getByRole("radio", { name: /^First/ })).toBeChecked();
  await second.getByRole("radio", { name: "Only Android" }).check();
  await second.getByRole("button", { name: "Roll back" }).click();
  await expect(second).toHaveCount(0);
  const [newest, next] = await project.call<Release[]>("GET", "/v1/ota/updates?limit=2");
  expect(newest?.platform).toBe("android");
  expect(next?.id).toBe(Math.max(one?.id ?? 0, two?.id ?? 0));
});

test("a release with other files is preselected, even behind more copies than the dialog lists", async ({ page, project, signIn }) => {
  await project.publish("Old");
  let { id } = await project.publish("Good");
  for (let copies = 0; copies < 22; copies++) {
    const { updates } = await project.call<{ updates: Release[] }>("POST", `/v1/ota/updates/${id}/republish`, {});
    id = updates[0]!.id;
  }
  await signIn("editor");
  await page.goto(`/app/${project.slug}/releases/${id}`);
  await page.getByRole("button", { name: "Roll back" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: /^Good/ })).toHaveCount(20);
  await expect(dialog.getByRole("radio", { name: /^Old/ })).toBeChecked();
  await dialog.getByRole("searchbox", { name: "Search earlier releases" }).fill("Good");
  await expect(dialog.getByRole("radio", { name: /^Old/ })).toHaveCount(0);
  await dialog.getByRole("searchbox", { name: "Search earlier releases" }).fill("");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back.")).toBeVisible();
  const [newest] = await project.call<{ releaseMessage: string }[]>("GET", "/v1/ota/updates?limit=1");
  expect(newest?.releaseMessage).toBe("Old");
});

test("the overview rolls back the newest release, even if it was published for a percentage of devices", async ({ page, project, signIn }) => {
  for (const [message, more] of [["Old", {}], ["Good", {}], ["Bad", { rolloutPercentage: 20 }]] as const) {
    const groupId = randomUUID();
    for (const platform of ["ios", "android"]) await project.publish(message, undefined, "production", platform, { groupId, ...more });
  }
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await page.getByRole("button", { name: /^Roll back production · iOS/ }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: /^Good/ })).toBeChecked();
  const effect = dialog.getByRole("region", { name: "What this does" });
  await expect(effect).toContainText("Bad · Android · 1.0.0: 20% of devices → off");
  await expect(effect).not.toContainText("Good · iOS · 1.0.0: 100% of devices → off");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back.")).toBeVisible();
});
