import { axe } from "./support/axe";
import { addAuthenticator, age, sessionMethod, signInAtProvider } from "./support/logins";
import { password } from "./support/project";
import { expect, test, type Page } from "./support/test";

/** Asks for a key, which needs a fresh login. */
async function askForKey(page: Page, name: string) {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
}

const again = (page: Page) => page.getByRole("dialog", { name: "Log in again to go on" });

test("a person makes a passkey, logs in with it, and with it makes the login fresh", async ({ page, project, signIn, request }) => {
  const email = await signIn("admin");
  await addAuthenticator(page);
  await page.goto(`/app/${project.slug}/settings/sign-in`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("This laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("The passkey is added.")).toBeVisible();
  await expect(page.getByText("This laptop")).toBeVisible();

  await page.getByRole("button", { name: /^Account/ }).last().click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await page.goto(`/app/${project.slug}/settings/keys`);
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page, "back where they were").toHaveURL(new RegExp(`/app/${project.slug}/settings/keys$`));
  expect(await sessionMethod(page)).toBe("passkey");

  await age(request, email);
  await askForKey(page, "by passkey");
  await expect(again(page).getByLabel("Password"), "their account has a password, too").toBeVisible();
  await axe(page);
  await again(page).getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.locator("code", { hasText: /^waft_/ }), "the request goes on").toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
});

test("a login is made fresh by the password; without it nothing is carried out", async ({ page, project, signIn, request }) => {
  const email = await signIn("admin");
  await age(request, email);
  await page.goto(`/app/${project.slug}/settings/keys`);
  await askForKey(page, "by password");
  await expect(again(page).getByRole("button", { name: "Use a passkey" }), "they have none").toHaveCount(0);
  await again(page).getByLabel("Password").fill("wrong horse battery staple");
  await again(page).getByRole("button", { name: "Go on" }).click();
  await expect(again(page).getByRole("alert")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(again(page)).toBeHidden();
  await expect(page.getByRole("dialog", { name: "New key" }).getByText(/sign in again/)).toBeVisible();
  expect(await project.call("GET", "/v1/ota/api-keys")).toEqual([]);

  await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
  await again(page).getByLabel("Password").fill(password);
  await again(page).getByLabel("Password").press("Enter");
  await expect(page.locator("code", { hasText: /^waft_/ })).toBeVisible();
});

test("a person signs in with the identity provider, and makes the login fresh there", async ({ page, project, request }) => {
  const email = "sasha@example.com";
  await project.call("POST", "/v1/ota/invitations", { email, role: "admin" });
  await page.goto(`/app/${project.slug}/settings/keys?shortLived=1`);
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "sasha");
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/settings/keys\\?shortLived=1$`));
  expect(await sessionMethod(page)).toBe("oidc");

  await age(request, email);
  await askForKey(page, "by provider");
  await expect(again(page).getByLabel("Password"), "their account has none").toHaveCount(0);
  await axe(page);
  await again(page).getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "sasha");
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/settings/keys\\?shortLived=1$`));
  await askForKey(page, "by provider");
  await expect(page.locator("code", { hasText: /^waft_/ })).toBeVisible();
});

test("an identity that nobody invited is refused, and links with an account", async ({ page, project, signIn }) => {
  await page.goto("/app/login");
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByRole("alert")).toContainText("You have no access with this identity");
  expect(page.url()).not.toContain("#");
  await axe(page);

  await signIn("viewer");
  await page.goto(`/app/${project.slug}/settings/sign-in`);
  await page.getByRole("button", { name: "Link your identity at Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByText("Linked", { exact: true })).toBeVisible();
  // A page that sees that its session is gone leaves by itself, and would abort the next navigation.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
});
