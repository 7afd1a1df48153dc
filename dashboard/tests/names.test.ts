import { axe } from "./support/axe";
import { Devices, rollOut } from "./support/devices";
import type { Project } from "./support/project";
import { expect, test } from "./support/test";

/**
 * Publishes releases with the given names and 650 copies of the last one to another channel, so that the earlier ones are not on
 * the newest page of any list.
 */
async function publishMany(project: Project, ...names: string[]) {
  const build = await project.upload("Many", undefined, "android");
  await project.call("POST", "/v1/ota/channels", { name: "beta" });
  for (const releaseMessage of names) await project.call("POST", "/v1/ota/updates", { buildId: build.id, channel: "beta", releaseMessage });
  const [last] = await project.call<{ id: number }[]>("GET", "/v1/ota/updates?limit=1");
  const answer = await fetch(`${process.env.WAFT_COPIES}/?release=${last?.id}&count=650`, { method: "POST" });
  expect(answer.ok, await answer.text()).toBe(true);
  const [newest] = await project.call<{ releaseMessage: string }[]>("GET", "/v1/ota/updates?limit=1");
  expect(newest?.releaseMessage).toBe("Newer 650");
}

test("a release is its message and version, even if 650 releases are newer, and search finds versions", async ({ page, project, signIn }) => {
  const { rollout } = await rollOut(project, "Faster checkout", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await publishMany(project, "Release 2.4.0", "Release 2.4.1");
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await expect(page.getByRole("heading", { level: 1, name: "Rollout of Faster checkout · 1.0.0" })).toBeVisible();
  await expect(page).toHaveTitle(/^Rollout of Faster checkout · 1\.0\.0/);
  await expect(page.getByRole("link", { name: "Faster checkout · 1.0.0" })).toBeVisible();
  await page.goto(`/app/${project.slug}/rollouts`);
  await expect(page.getByRole("link", { name: "Faster checkout" })).toBeVisible();

  await page.keyboard.press("Control+k");
  const input = page.getByRole("dialog").getByRole("combobox");
  await input.fill("2.4.0");
  await expect(page.getByRole("option", { name: /^Release 2\.4\.0 · 1\.0\.0/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /2\.4\.1/ })).toHaveCount(0);
  await input.fill("9.9.9");
  await expect(page.getByRole("option")).toHaveCount(0);
});

test("every page that refers to a release shows its message and version, even if 650 releases are newer", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 20);
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "checkout", name: "Checkout" });
  const webhook = await project.call<{ id: number }>("POST", "/v1/ota/webhooks", { url: "https://example.com/hook", events: ["rollout.started"] });
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "Careful",
    stages: [{ percentage: 100, minDevices: 1000, minDurationMinutes: 600 }],
  });
  const release = await project.publish("Faster checkout", undefined, "production", "ios", {
    rolloutPolicyId: policy.id,
    linkedFlags: [{ flagId: flag.id, enabled: true }],
  });
  const [device] = await devices.report(release.updateUuid, "crash", 19);
  await publishMany(project, "Newer 0");
  await signIn("editor");
  const name = "Faster checkout · 1.0.0";
  const rollout = `${name} · iOS #${release.id}`;

  await page.goto(`/app/${project.slug}/policies/${policy.id}`);
  await expect(page.getByRole("note").getByRole("link", { name: rollout })).toHaveAttribute("href", new RegExp(`/rollouts/${release.rolloutExecutionId}$`));
  await axe(page);
  await page.goto(`/app/${project.slug}/flags/${flag.id}`);
  await expect(page.getByRole("region", { name: "About" }).getByRole("link", { name: rollout })).toBeVisible();
  await expect(page.getByRole("region", { name: "Linked releases" }).getByRole("link", { name })).toBeVisible();
  await axe(page);

  await page.goto(`/app/${project.slug}/devices?updateUuid=${release.updateUuid}`);
  await expect(page.getByRole("combobox", { name: "Release" })).toHaveValue(name);
  await page.goto(`/app/${project.slug}/observe?updateUuid=${release.updateUuid}`);
  await expect(page.getByText(`Only ${name}`)).toBeVisible();

  await page.goto(`/app/${project.slug}/devices/${device}?release=${release.id}&at=0`);
  await expect(page.getByRole("combobox", { name: "Release" })).toHaveValue(name);
  const another = page.getByRole("region", { name: "Try another rollout percentage" });
  await expect(another).toContainText(`With ${name} at 0%:`);
  await expect(another).toContainText(`Release “Faster checkout” (#${release.id}): the device is not in the 0%`);
  const why = page.getByRole("region", { name: "Why it gets this release" });
  await expect(why).toContainText(`The device runs release “Faster checkout” (#${release.id})`);
  for (const decided of ["Serves releases", "Chosen by the channel", "Up to date"]) await expect(why.getByText(decided, { exact: true })).toBeVisible();
  await axe(page);

  await expect.poll(async () => (await project.call<unknown[]>("GET", "/v1/ota/telemetry/incidents")).length, { timeout: 60_000 }).toBe(1);
  await page.goto(`/app/${project.slug}/incidents`);
  await expect(page.getByRole("row").getByRole("link", { name })).toHaveAttribute("href", new RegExp(`/releases/${release.id}$`));
  await page.goto(`/app/${project.slug}/audit?action=incident.opened`);
  await expect(page.getByRole("row", { name: /opened the incident of “Faster checkout” \(iOS 1\.0\.0\)/ })).toBeVisible();

  await page.goto(`/app/${project.slug}/builds?search=Faster`);
  await expect(page.getByRole("row", { name: /Faster checkout/ }).getByRole("link", { name: `production ${name} #${release.id}` })).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Actions for Faster checkout" }).click();
  await page.getByRole("menuitem", { name: "Delete the build" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`/app/${project.slug}/webhooks/${webhook.id}`);
  const delivery = page.getByRole("region", { name: "Deliveries" }).getByRole("link", { name: "the rollout of “Faster checkout” (iOS 1.0.0)" });
  await expect(delivery).toHaveAttribute("href", new RegExp(`/rollouts/${release.rolloutExecutionId}$`));
  await expect(page.getByRole("region", { name: "Details" })).toContainText(/Secret…[^…]{4}/);
  await axe(page);

  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  const { approval } = await project.call<{ approval: { id: number } }>("PATCH", `/v1/ota/updates/${release.id}`, { isCritical: true });
  await page.goto(`/app/${project.slug}/approvals/${approval.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText('Change release "Faster checkout" (iOS, runtime version 1.0.0');
  await expect(page.getByRole("region", { name: "Releases that devices receive" })).toContainText(`Faster checkout #${release.id}`);
  await expect(page.getByRole("region", { name: "Releases that devices receive" })).toContainText("production, iOS, runtime version 1.0.0");
  await expect(page.getByRole("region", { name: "Releases that devices receive" }).getByRole("link", { name: "Faster checkout" }).first()).toHaveAttribute("href", new RegExp(`/releases/${release.id}$`));
  await axe(page);
});

test("on a narrow screen a short name of a release is not cut off", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 3);
  const release = await project.publish("Fix");
  await devices.report(release.updateUuid, "app_launch", 2);
  await signIn("viewer");
  for (const [path, width] of [["devices", 360], ["builds", 768]] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/app/${project.slug}/${path}`);
    const name = page.getByRole("link", { name: /Fix · 1\.0\.0/ }).first().getByText("Fix · 1.0.0");
    await expect(name).toBeVisible();
    expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth), path).toBe(0);
  }
});
