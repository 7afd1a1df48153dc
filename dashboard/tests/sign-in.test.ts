import { axe } from "./support/axe";
import { password } from "./support/project";
import { expect, test } from "./support/test";

test("an invited person signs in, returns to where they were, and signs out", { tag: "@short" }, async ({ page, project }) => {
  const { token, email } = await project.invite("editor");
  await page.goto(`/app/invite#${token}`);
  await page.getByLabel("Your name").fill("Sam Roe");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await axe(page);
  await page.getByRole("button", { name: "Accept" }).click();
  // The person has one project, which opens.
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.getByRole("button", { name: /^Account/ }).last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();

  await page.goto(`/app/${project.slug}/flags?q=dark`);
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  await axe(page);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong horse battery staple");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/flags\\?q=dark$`));
});

test("a session that ends elsewhere leads to the sign-in page", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  // A page that finds its session gone navigates to the sign-in page, which would abort the loading.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
});

test("a project of other people is not shown", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/app/another-project/overview");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are not a member of this project");
});
