import { Devices, rollOut, type Execution } from "./support/devices";
import { atContent, takesKeyboard } from "./support/keyboard";
import { expect, test, type Page } from "./support/test";

/** Presses Tab until an element has focus, as a person without a mouse does. */
async function tabTo(page: Page, role: "button" | "link" | "textbox" | "searchbox" | "radio", name: string | RegExp) {
  const wanted = page.getByRole(role, { name }).and(page.locator(":focus"));
  for (let pressed = 0; pressed < 80; pressed++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${role} ${name}`);
}

/** Expects focus to stay in the open dialog for the given number of Tab presses, forwards and backwards. */
async function expectTrapped(page: Page, presses: number) {
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let pressed = 0; pressed < presses; pressed++) {
      await page.keyboard.press(key);
      // After the last element, focus returns to the first.
      await expect(page.getByRole("dialog").locator(":focus"), `${key} left the dialog`).toHaveCount(1);
    }
  }
}

test("a rollout is rolled back by keyboard alone, with its reason", { tag: "@short" }, async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "Suspect", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "Rolling out: 10%" })).toBeVisible();
  await tabTo(page, "link", "Rolling out: 10%");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Rollout of Suspect · 1.0.0" })).toBeVisible();
  await atContent(page);

  const opener = page.getByRole("button", { name: "Roll back" });
  await expect(opener).toBeVisible();
  await tabTo(page, "button", "Roll back");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Roll back" });
  await takesKeyboard(dialog);
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("Suspect");
  await expectTrapped(page, 10);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();

  await page.keyboard.press("Space");
  await takesKeyboard(dialog);
  await tabTo(page, "textbox", "Reason");
  await page.keyboard.type("Checkout is broken");
  // Before the effect is shown, the action is refused.
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("Suspect");
  await tabTo(page, "button", "Roll back");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Rolled back", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Checkout is broken").first()).toBeVisible();
  await expect(opener, "an ended rollout has no commands").toHaveCount(0);
  const ended = await project.call<Execution>("GET", `/v1/ota/rollout-executions/${rollout}`);
  expect(ended.status).toBe("rolled_back");
  expect(ended.reason).toContain("Checkout is broken");
});

test("a release is found and rolled back by keyboard alone", async ({ page, project, signIn }) => {
  const oldest = await project.publish("Oldest");
  await project.publish("Older");
  await project.publish("Newest one");
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "Newest one", exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type("newest");
  // Enter chooses the highlighted line.
  await expect(page.getByRole("option", { name: /Newest one/ })).toHaveAttribute("data-highlighted");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Newest one" })).toBeVisible();
  await atContent(page);

  const opener = page.getByRole("button", { name: "Roll back" });
  await expect(opener).toBeVisible();
  await tabTo(page, "button", "Roll back");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Roll back" });
  await expect(dialog.getByRole("group", { name: "Go back to" })).toBeVisible();
  await takesKeyboard(dialog);
  await expectTrapped(page, 10);
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("group", { name: "Go back to" })).toBeVisible();
  await takesKeyboard(dialog);
  await tabTo(page, "searchbox", "Search earlier releases");
  await page.keyboard.type("oldest");
  await expect(dialog.getByRole("radio", { name: /^Older/ })).toHaveCount(0);
  await page.keyboard.press("Enter"); // does not confirm
  await tabTo(page, "radio", /^Oldest/);
  await page.keyboard.press("Space");
  await expect(dialog.getByRole("radio", { name: /^Oldest/ })).toBeChecked();
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("A new release · Oldest");
  await tabTo(page, "button", "Roll back");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  const [newest] = await project.call<{ republishedFromId: number }[]>("GET", "/v1/ota/updates?limit=1");
  expect(newest?.republishedFromId).toBe(oldest.id);
});
