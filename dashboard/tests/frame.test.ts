import { axe } from "./support/axe";
import { expect, test } from "./support/test";

test("the keyboard reaches everything: palette, help, jumps, skip link", async ({ page, project, signIn }) => {
  await project.publish("A release to find");
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/releases$/);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
  await page.keyboard.type("to find");
  await expect(page.getByRole("option", { name: /A release to find/ })).toBeVisible();
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/releases\/\d+$/);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "A release to find" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("while the server is away the last data stays, and it recovers by itself", async ({ page, project, signIn }) => {
  await project.publish("Still here");
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "Still here" })).toBeVisible();
  await page.route(/\/(v1|readyz)/, (route) => route.abort());
  await page.evaluate(() => window.dispatchEvent(new Event("waft-back")));
  await expect(page.getByRole("alert").filter({ hasText: "Waft does not answer" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Still here" })).toBeVisible();
  await page.unroute(/\/(v1|readyz)/);
  await expect(page.getByRole("alert")).toHaveCount(0, { timeout: 5_000 });
});
