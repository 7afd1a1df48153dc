import { expect, test } from "./support/test";

test("what the API refuses stands at its field, which has the keyboard", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/settings/publishers`);
  await page.getByRole("button", { name: "New publisher" }).first().click();
  const dialog = page.getByRole("dialog");
  const issuer = dialog.getByLabel("Issuer");
  await issuer.fill("http://tokens.example.com");
  await dialog.getByLabel("Claims").fill("repository = acme/app");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(issuer).toBeFocused();
  await expect(issuer).toHaveAccessibleDescription(/must be an https URL/);

  await page.goto(`/app/${project.slug}/settings/project`);
  const networks = page.getByLabel("Trusted networks");
  await networks.fill("10.0.0.0/8\nnowhere");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(networks).toBeFocused();
  await expect(networks).toHaveAccessibleDescription(/nowhere|network/);
  await networks.fill("10.0.0.0/8");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await project.call<{ trustedNetworks: string[] }>("GET", "/v1/ota/settings")).trustedNetworks).toEqual(["10.0.0.0/8"]);
});

test("a form that is changed asks before it is left", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("button", { name: "New flag" }).first().click();
  const key = page.getByRole("dialog").getByLabel("Key");
  await key.fill("dark-mode");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard the changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(key).toHaveValue("dark-mode");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.goto(`/app/${project.slug}/policies/new`);
  await page.getByLabel("Name").fill("Careful");
  await page.getByRole("link", { name: "Releases" }).first().click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page).toHaveURL(/policies\/new$/);
  await page.getByRole("link", { name: "Releases" }).first().click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/releases$/);
});
