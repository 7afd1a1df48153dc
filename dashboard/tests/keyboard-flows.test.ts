import { atContent, choose, confirmDialog, dialogOf, expectFocus, openPage, pick, pressInDialog, pressOn, tabTo, typeInto } from "./support/keyboard";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("a person signs in with the keyboard alone", async ({ page, project, playwright }) => {
  const elsewhere = await playwright.request.newContext();
  const { token, email } = await project.invite("editor");
  await elsewhere.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: "Kim", password } });
  await elsewhere.dispose();
  await page.goto(`/app/${project.slug}/flags`);
  await typeInto(page, page.getByLabel("Email address"), email);
  await typeInto(page, page.getByLabel("Password", { exact: true }), password);
  await expectFocus(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
});

test("a build is published and deleted with the keyboard alone", async ({ page, project, signIn }) => {
  await project.upload("Winter", "winter");
  await project.upload("Spring", "spring");
  await signIn("editor");
  await openPage(page, `${project.slug}/builds`, "Builds");
  await choose(page, "Actions for Spring", "Publish to a channel");
  const dialog = await dialogOf(page);
  await typeInto(page, dialog.getByLabel("Channel"), "production");
  await expect(page.getByRole("option", { name: "production" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("A new release · Spring");
  await typeInto(page, dialog.getByLabel("Type production to confirm"), "production");
  await confirmDialog(page, "Publish");
  await expect(page.getByRole("heading", { level: 1, name: "Spring · 1.0.0" })).toBeVisible();
  await atContent(page);
  await openPage(page, `${project.slug}/builds`, "Builds");
  await choose(page, "Actions for Winter", "Delete the build");
  await dialogOf(page);
  await confirmDialog(page, "Delete");
  await expect(page.getByRole("button", { name: "Actions for Winter" })).toHaveCount(0);
  await expectFocus(page);
});

test("a rollout is started, paused, resumed, advanced and cancelled with the keyboard alone", async ({ page, project, signIn }) => {
  await project.call("POST", "/v1/ota/rollout-policies", { name: "careful", stages: [{ percentage: 10, minDurationMinutes: 600 }, { percentage: 50, minDurationMinutes: 600 }, { percentage: 100 }] });
  await project.publish("Old");
  await project.publish("New", undefined, "production", "ios", { rolloutPercentage: 0 });
  await signIn("editor");
  await openPage(page, `${project.slug}/rollouts`, "Rollouts");
  await pressOn(page, page.getByRole("button", { name: "Start a rollout" }));
  const dialog = await dialogOf(page);
  for (const [label, text] of [["Release", "New"], ["Rollout policy", "careful"]] as const) {
    await typeInto(page, dialog.getByLabel(label, { exact: true }), text);
    await expect(page.getByRole("option", { name: text })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("option")).toHaveCount(0);
  }
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("careful");
  await pressInDialog(page, "Start the rollout");
  await expect(page.getByRole("heading", { level: 1, name: /^Rollout of New/ })).toBeVisible();
  await atContent(page);
  for (const [command, status] of [["Pause", "Paused"], ["Resume", "Running"], ["Advance", "Running"], ["Cancel rollout", "Cancelled"]] as const) {
    await pressOn(page, page.getByRole("button", { name: command, exact: true }));
    await dialogOf(page);
    await confirmDialog(page, command);
    await expect(page.getByText(status, { exact: true }).first()).toBeVisible();
    await expectFocus(page);
  }
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await expectFocus(page);
});

test("a flag is created, split, saved, turned off on a channel and deleted with the keyboard alone", async ({ page, project, signIn }) => {
  await signIn("editor");
  await openPage(page, `${project.slug}/flags`, "Flags");
  await pressOn(page, page.getByRole("button", { name: "New flag" }).first());
  const dialog = await dialogOf(page);
  await tabTo(page, dialog.getByRole("button", { name: "Close" }));
  await typeInto(page, dialog.getByLabel("Key"), "checkout");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "checkout" })).toBeVisible();
  await atContent(page);
  await pressOn(page, page.getByRole("button", { name: "Add rule" }));
  const builder = await dialogOf(page);
  await typeInto(page, builder.getByLabel("Attribute"), "platform");
  await typeInto(page, builder.getByLabel("Value 1", { exact: true }), "ios");
  await pick(page, builder.getByLabel("Flag value"), "Split");
  await pick(page, builder.getByLabel("Variation of share 1"), "On");
  await typeInto(page, builder.getByLabel("Percent of share 1"), "10");
  await pressOn(page, builder.getByRole("button", { name: "Add rule" }));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: "Review 1 change" }));
  await dialogOf(page);
  await pressInDialog(page, "Save");
  await expect(page.getByText("The flag is saved.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectFocus(page);
  // Rules are removed and moved without a mouse.
  await pressOn(page, page.getByRole("button", { name: "Delete rule 1" }));
  await expect(page.getByRole("button", { name: "Delete rule 1" })).toHaveCount(0);
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: "Discard" }));
  await expectFocus(page);

  await openPage(page, `${project.slug}/flags`, "Flags");
  await pressOn(page, page.getByRole("switch", { name: "checkout on production" }));
  await dialogOf(page);
  await confirmDialog(page, "Turn off");
  await openPage(page, `${project.slug}/flags`, "Flags");
  await pressOn(page, page.getByRole("link", { name: "checkout" }).first());
  await expect(page.getByRole("heading", { level: 1, name: "checkout" })).toBeVisible();
  await atContent(page);
  await pressOn(page, page.getByRole("button", { name: "Delete", exact: true }));
  const remove = await dialogOf(page);
  await typeInto(page, remove.getByLabel("Type checkout to confirm"), "checkout");
  await pressInDialog(page, "Delete");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
  await expectFocus(page);
});

test("a policy is made and deleted with the keyboard alone", async ({ page, project, signIn }) => {
  await signIn("editor");
  await openPage(page, `${project.slug}/policies/new`, "New policy");
  await typeInto(page, page.getByLabel("Name"), "Careful");
  const stages = page.getByRole("group", { name: /^Stage / });
  const before = await stages.count();
  await pressOn(page, page.getByRole("button", { name: "Add a stage" }));
  await expect(stages).toHaveCount(before + 1);
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: `Delete stage ${before + 1}` }));
  await expect(stages).toHaveCount(before);
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: "Add a window" }));
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: "Delete window 1" }));
  await expectFocus(page);
  await pressOn(page, page.getByRole("button", { name: "Save" }).first());
  await expect(page.getByText("The policy is saved.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Careful" })).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Delete", exact: true }));
  await dialogOf(page);
  await pressInDialog(page, "Delete");
  await expect(page.getByRole("heading", { level: 1, name: "Policies" })).toBeVisible();
  await expectFocus(page);
});

test("a release is changed, turned off and deleted, and a session is ended, with the keyboard alone", async ({ page, project, signIn, playwright }) => {
  await project.publish("Old");
  const release = await project.publish("New");
  const email = await signIn("admin");
  await openPage(page, `${project.slug}/releases/${release.id}`, "New");
  await choose(page, "More actions", "Change the rollout percentage");
  const dialog = await dialogOf(page);
  await typeInto(page, dialog.getByLabel("Rollout percentage"), "30");
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("30%");
  await confirmDialog(page, "Change the rollout percentage");
  await choose(page, "More actions", "Turn off");
  await dialogOf(page);
  await confirmDialog(page, "Turn off");
  await choose(page, "More actions", "Delete");
  await dialogOf(page);
  await pressInDialog(page, "Delete");
  await expect(page.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
  await expectFocus(page);

  const elsewhere = await playwright.request.newContext();
  expect((await elsewhere.post(`${url}/v1/auth/login`, { data: { email, password } })).status()).toBe(200);
  await elsewhere.dispose();
  await openPage(page, `${project.slug}/settings/sessions`, "Sessions");
  await pressOn(page, page.getByRole("button", { name: /^End the session of/ }));
  await dialogOf(page);
  await confirmDialog(page, "End");
  await expect(page.getByRole("button", { name: /^End the session of/ })).toHaveCount(0);
  await expectFocus(page);
});
