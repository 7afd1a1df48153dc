import { Clicks } from "./support/clicks";
import { atContent, moveTo, pick, pressOn, takesKeyboard, typeInto } from "./support/keyboard";
import type { Project } from "./support/project";
import { expect, test } from "./support/test";

interface Channel {
  name: string;
  branchName: string;
}

const branchOf = async (project: Project, name: string) =>
  (await project.call<Channel[]>("GET", "/v1/ota/channels")).find((each) => each.name === name)?.branchName;

/** Returns the ID of the release that a device on the channel is served. For a republished release, returns the ID of the original. */
async function served(project: Project, channel: string) {
  const { updateId } = await project.call<{ updateId: number | null }>("GET", `/v1/ota/resolve?channel=${channel}&platform=ios&runtimeVersion=1.0.0&deviceId=d`);
  if (updateId === null) return null;
  const release = await project.call<{ id: number; republishedFromId: number | null }>("GET", `/v1/ota/updates/${updateId}`);
  return release.republishedFromId ?? release.id;
}

test("a channel is promoted in four clicks by republishing its releases to another channel", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.publish("The old one");
  const fresh = await project.publish("The new one", undefined, "staging");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const clicks = new Clicks();
  await clicks.on(page.getByRole("navigation").getByRole("link", { name: "Channels" }).first());
  await clicks.on(page.getByRole("button", { name: "Actions for staging" }));
  await clicks.on(page.getByRole("menuitem", { name: "Promote to another channel" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Channel")).toHaveValue("production");
  await clicks.type(dialog.getByLabel("Type production to confirm"), "production");
  await expect(dialog.getByRole("button", { name: "Promote" })).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The releases are promoted.")).toBeVisible();
  clicks.expect(4, { most: 4 });
  await expect.poll(() => served(project, "production")).toBe(fresh.id);
  expect(await branchOf(project, "production"), "the channel keeps its branch").toBe("production");
});

test("a channel is promoted with the keyboard alone by pointing another channel to its branch", async ({ page, project, signIn }) => {
  await project.publish("The old one");
  const fresh = await project.publish("The new one", undefined, "staging");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Channels" })).toBeVisible();
  await atContent(page);
  await pressOn(page, page.getByRole("button", { name: "Actions for staging" }));
  const item = page.getByRole("menuitem", { name: "Promote to another channel" });
  await moveTo(page, page.getByRole("menu"), item);
  await page.keyboard.press("Enter");

  const dialog = page.getByRole("dialog");
  await takesKeyboard(dialog);
  await pick(page, dialog.getByLabel("Channel"), "production");
  await pick(page, dialog.getByLabel("How"), "Point it");
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("will change release");
  await typeInto(page, dialog.getByLabel("Type production to confirm"), "production");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The releases are promoted.")).toBeVisible();
  expect(await branchOf(project, "production")).toBe("staging");
  await expect.poll(() => served(project, "production")).toBe(fresh.id);
});

test("a promotion takes the release that every device has, not a newer one in a paused rollout, with 250 branches", async ({ page, project, signIn }) => {
  const proven = await project.publish("The proven one");
  for (let i = 0; i < 250; i++) await project.call("POST", "/v1/ota/branches", { name: `branch-${i}` });
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "careful",
    stages: [
      { percentage: 5, minDurationMinutes: 600 },
      { percentage: 100, minDurationMinutes: 0 },
    ],
  });
  const newer = await project.publish("The unproven one", undefined, "production", "ios", { rolloutPolicyId: policy.id });
  await expect.poll(async () => (await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${newer.id}`)).rolloutPercentage).toBe(5);
  await project.call("POST", `/v1/ota/rollout-executions/${newer.rolloutExecutionId}/pause`, {});
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await page.getByRole("link", { name: "Channels" }).first().click();
  await page.getByRole("button", { name: "Actions for production" }).click();
  await page.getByRole("menuitem", { name: "Promote to another channel" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("iOS 1.0.0")).toHaveValue(`The proven one · 1.0.0 · #${proven.id}`);
  await expect(dialog.getByText(`The unproven one · 1.0.0 · #${newer.id} is newer, but only 5% of devices have it.`)).toBeVisible();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("new, to 100% of devices");
  await dialog.getByLabel("Type staging to confirm").fill("staging");
  await dialog.getByRole("button", { name: "Promote" }).click();
  await expect(page.getByText("The releases are promoted.")).toBeVisible();
  await expect.poll(() => served(project, "staging")).toBe(proven.id);

  // The newest release, rolled out by a policy.
  await page.getByRole("button", { name: "Actions for production" }).click();
  await page.getByRole("menuitem", { name: "Promote to another channel" }).click();
  await dialog.getByLabel("Releases").selectOption("newest");
  await expect(dialog.getByLabel("iOS 1.0.0")).toHaveValue(`The unproven one · 1.0.0 · #${newer.id}`);
  await dialog.getByLabel("Rollout policy").click();
  await page.getByRole("option", { name: "careful" }).click();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("A new rollout by careful");
  await dialog.getByLabel("Type staging to confirm").fill("staging");
  await dialog.getByRole("button", { name: "Promote" }).click();
  await expect.poll(async () => (await project.call<{ policyId: number }[]>("GET", "/v1/ota/rollout-executions?channel=staging")).map((each) => each.policyId)).toEqual([policy.id]);
});
