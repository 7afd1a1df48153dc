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
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("A new release · The proven one · iOS · 1.0.0: to 100% of devices");
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

test("the palette's command promotes although the page then shows only the promoted channel", async ({ page, project, signIn }) => {
  const proven = await project.publish("The proven one");
  for (let i = 0; i < 4; i++) await project.call("POST", "/v1/ota/channels", { name: `team-${i}` });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "The proven one", exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("promote");
  await page.getByRole("option", { name: "Promote production to another channel" }).click();
  const dialog = page.getByRole("dialog", { name: "Promote to another channel: production" });
  await expect(dialog.getByLabel("Channel").getByRole("option")).toHaveText(["staging", "team-0", "team-1", "team-2", "team-3"]);
  await dialog.getByLabel("Channel").selectOption("team-2");
  await dialog.getByLabel("Type team-2 to confirm").fill("team-2");
  await dialog.getByRole("button", { name: "Promote" }).click();
  await expect(page.getByText("The releases are promoted.")).toBeVisible();
  await expect.poll(() => served(project, "team-2")).toBe(proven.id);
});

test("the page of 650 channels requests as much as a page of two", async ({ page, project, signIn }) => {
  for (let i = 0; i < 650; i++) await project.call("POST", "/v1/ota/channels", { name: `channel-${i}`, branchName: "production" });
  await signIn("editor");
  const requested: string[] = [];
  page.on("request", (request) => void (/\/v1\/ota\/(channels|branches)\b/.test(request.url()) && requested.push(request.url())));
  await page.goto(`/app/${project.slug}/channels`);
  const branches = page.getByRole("region", { name: "Branches" });
  await expect(branches.getByText(/^channel-0, channel-1, channel-10,/)).toBeVisible();
  await expect(page.getByText("200 of 652 rows")).toBeVisible();
  expect(requested).toHaveLength(2);
});
