import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("an API key is created, works, and is shown once", { tag: "@short" }, async ({ page, project, signIn, playwright }) => {
  await signIn("admin");
  await page.goto(`/app/${project.slug}/settings/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ci");
  await dialog.getByLabel("Role").selectOption("Viewer");
  await dialog.getByRole("button", { name: "New key" }).click();
  const secret = (await dialog.locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^waft_/);

  const request = await playwright.request.newContext();
  const withKey = { headers: { Authorization: `Bearer ${secret}`, "X-Project": project.slug } };
  const me = (await (await request.get(`${url}/v1/me`, withKey)).json()) as { apiKey: { name: string; role: string } };
  expect(me.apiKey).toMatchObject({ name: "ci", role: "viewer" });
  expect((await request.get(`${url}/v1/ota/flags`, withKey)).status()).toBe(200);
  expect((await request.post(`${url}/v1/ota/branches`, { ...withKey, data: { name: "b" } })).status(), "a viewer's key cannot change anything").toBe(403);

  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("row", { name: /^ci/ });
  await expect(row).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content(), "the secret is nowhere in the page").not.toContain(secret);

  await page.getByRole("button", { name: "Revoke ci" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("The key is revoked.")).toBeVisible();
  await expect.poll(async () => (await request.get(`${url}/v1/ota/flags`, withKey)).status()).toBe(401);
  await request.dispose();
});

test("a member is invited in the dashboard, and signs in with the link in another browser", async ({ page, project, signIn, browser }) => {
  await signIn("admin");
  await page.goto(`/app/${project.slug}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  const email = `${project.slug}@example.com`;
  await dialog.getByLabel("Email address").fill(email);
  await dialog.getByLabel("Role").selectOption("Editor");
  await dialog.getByRole("button", { name: "Invite" }).click();
  const link = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("table", { name: "Open invitations" }).getByText(email)).toBeVisible();

  const theirs = await browser.newContext({ baseURL: url });
  const other = await theirs.newPage();
  await other.goto(link);
  await other.getByLabel("Your name").fill("Kim Doe");
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByRole("button", { name: "Accept" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await other.goto(link);
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByRole("button", { name: "Accept" }).click();
  await expect(other.getByRole("alert"), "the link works once").toBeVisible();
  await theirs.close();

  // The admin sees the new member without a reload.
  await expect(page.getByRole("table", { name: "Members" }).getByText("Kim Doe")).toBeVisible();
  const members = await project.call<{ email: string; name: string; role: string }[]>("GET", "/v1/ota/members");
  expect(members.find((each) => each.email === email)).toMatchObject({ name: "Kim Doe", role: "editor" });
});
