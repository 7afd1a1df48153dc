import type { BrowserContext } from "@playwright/test";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

/** Signs the browser in as the owner that first-run.test.ts creates. */
async function signInAsOwner(context: BrowserContext) {
  const answer = await context.request.post(`${url}/v1/auth/login`, { data: { email: "owner@example.com", password } });
  expect(answer.status(), await answer.text()).toBe(200);
}

test("an owner creates a project from the list of projects, and its overview opens", async ({ page, context, project }) => {
  await signInAsOwner(context);
  await page.goto("/app/projects");
  await page.getByRole("button", { name: "Create a project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Parcel Tracker");
  await dialog.getByLabel("Name in addresses").fill(project.slug);
  await dialog.getByRole("button", { name: "Create the project" }).click();
  await expect(dialog.getByRole("alert")).toContainText("a project with this slug already exists");
  const slug = `${project.slug}-b`;
  await dialog.getByLabel("Name in addresses").fill(slug);
  await dialog.getByRole("button", { name: "Create the project" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/${slug}/overview$`));
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Switch project: Parcel Tracker/ })).toBeVisible();
});

test("an owner creates a project by the palette and by the menu of projects", async ({ page, context, project }) => {
  await signInAsOwner(context);
  await page.goto(`/app/${project.slug}/releases`);
  await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill("create a project");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create a project" });
  await dialog.getByLabel("Name", { exact: true }).fill(`${project.name} two`);
  await dialog.getByRole("button", { name: "Create the project" }).click();
  await expect(page.getByRole("button", { name: `Switch project: ${project.name} two` })).toBeVisible();

  await page.getByRole("button", { name: /^Switch project/ }).click();
  await page.getByRole("menuitem", { name: "Create a project" }).click();
  await expect(dialog).toBeVisible();
});

test("an admin who is not an owner is told who can create projects", async ({ page, project, signIn }) => {
  await signIn("admin");
  await page.goto(`/app/${project.slug}/overview`);
  await page.getByRole("button", { name: /^Switch project/ }).click();
  await expect(page.getByRole("menuitem", { name: "Create a project" })).toHaveAttribute("title", /Only owners of the installation/);
  await page.goto("/app/projects");
  await expect(page.getByRole("link", { name: project.name })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create a project" })).toHaveCount(0);
});
