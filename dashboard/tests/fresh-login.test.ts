import { axe } from "./support/axe";
import { addAuthenticator, age, sessionMethod, signInAtProvider } from "./support/logins";
import { password } from "./support/project";
import { expect, test, type Page } from "./support/test";

/** Requests a new key, which requires a recent sign-in. */
async function askForKey(page: Page, name: string) {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
}

const again = (page: Page) => page.getByRole("dialog", { name: "Sign in again to continue" });

test("a person creates a passkey, signs in with it, and uses it to sign in again", async ({ page, project, signIn, request }) => {
  const email = await signIn("admin");
  await addAuthenticator(page);
  await page.goto(`/app/${project.slug}/settings/sign-in`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("This laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("The passkey is added.")).toBeVisible();
  await expect(page.getByText("This laptop")).toBeVisible();

  await page.getByRole("button", { name: /^Account/ }).last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  await page.goto(`/app/${project.slug}/settings/keys`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page, "back where they were").toHaveURL(new RegExp(`/app/${project.slug}/settings/keys$`));
  expect(await sessionMethod(page)).toBe("passkey");

  await age(request, email);
  await askForKey(page, "by passkey");
  await expect(again(page).getByLabel("Password"), "the account has a password too").toBeFocused();
  await axe(page);
  await again(page).getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.locator("code", { hasText: /^waft_/ }), "the request continues").toBeVisible();
  await page.getByRole("button", { name: "I have copied it" }).click();
});

test("a person signs in again with the password; without it the request is not applied", async ({ page, project, signIn, request }) => {
  const email = await signIn("admin");
  await age(request, email);
  await page.goto(`/app/${project.slug}/settings/keys`);
  await askForKey(page, "by password");
  await expect(again(page).getByRole("button", { name: "Use a passkey" }), "the person has no passkey").toHaveCount(0);
  await again(page).getByLabel("Password").fill("wrong horse battery staple");
  await again(page).getByRole("button", { name: "Continue" }).click();
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

test("a person signs in with the identity provider, and signs in again there", async ({ page, project, request }) => {
  const email = "sasha@example.com";
  await project.call("POST", "/v1/ota/invitations", { email, role: "admin" });
  await page.goto(`/app/${project.slug}/settings/keys?shortLived=1`);
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "sasha");
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/settings/keys\\?shortLived=1$`));
  expect(await sessionMethod(page)).toBe("oidc");

  await age(request, email);
  await askForKey(page, "by provider");
  await expect(again(page).getByLabel("Password"), "the account has no password").toHaveCount(0);
  await axe(page);
  const opened = page.context().waitForEvent("page");
  await again(page).getByRole("link", { name: "Continue with Zitadel" }).click();
  const tab = await opened;
  await signInAtProvider(tab, "sasha");
  await expect(tab).toHaveURL(new RegExp(`/app/${project.slug}/settings/keys\\?shortLived=1$`));
  await tab.close();
  await again(page).getByRole("button", { name: "I have signed in" }).click();
  await expect(page.locator("code", { hasText: /^waft_/ }), "the request continues with what was typed").toBeVisible();
});

test("an identity without an invitation is refused, and can be linked to an account", async ({ page, project, signIn }) => {
  await page.goto("/app/login");
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByRole("alert")).toContainText("This identity has no access");
  expect(page.url()).not.toContain("#");
  await axe(page);

  await signIn("viewer");
  await page.goto(`/app/${project.slug}/settings/sign-in`);
  await page.getByRole("button", { name: "Link your identity at Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByText("Linked", { exact: true })).toBeVisible();
  // A page that finds its session gone navigates to the sign-in page, which would abort the next navigation.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("link", { name: "Continue with Zitadel" }).click();
  await signInAtProvider(page, "robin");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
});
