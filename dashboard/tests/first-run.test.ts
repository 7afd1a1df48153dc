import { password } from "./support/project";
import { expect, test } from "./support/test";
import { axe } from "./support/axe";

test("the printed link creates the first account, and its token is removed from the address", async ({ page }) => {
  await page.goto(process.env.WAFT_SETUP_LINK ?? "");
  await expect(page.getByRole("heading", { level: 1, name: "Create the first account" })).toBeVisible();
  expect(page.url()).not.toContain("#");
  await axe(page);

  await page.getByLabel("Email address").fill("owner@example.com");
  await page.getByLabel("Your name").fill("Olive");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();

  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeVisible();
  await axe(page);

  // The link works once. Opened again, it leads to the sign-in page.
  await page.goto("/app/projects");
  await page.goto(process.env.WAFT_SETUP_LINK ?? "");
  await expect(page.getByRole("heading", { level: 1, name: "This link has been used" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await axe(page);
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
});
