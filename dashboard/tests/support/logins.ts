import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { password, url } from "./project";

/**
 * Makes all sessions of the person older than what needs a fresh login takes, or ends them as if by time, or verifies the
 * person's address as an operator does.
 */
export async function age(request: APIRequestContext, email: string, how: "old" | "expired" | "verified" = "old") {
  const answer = await request.post(`${process.env.WAFT_SESSION_AGES}/${how}?email=${encodeURIComponent(email)}`);
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Fills in and sends the form of the login page. */
export async function logIn(page: Page, email: string) {
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

/** Signs in on the page of the identity provider. */
export async function signInAtProvider(page: Page, name: string) {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("secret");
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** An authenticator in the browser that verifies the person by itself. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

/** How the session of the page's browser began. */
export async function sessionMethod(page: Page) {
  const sessions = (await (await page.request.get(`${url}/v1/auth/sessions`)).json()) as { isCurrent: boolean; method: string }[];
  return sessions.find((each) => each.isCurrent)?.method;
}

/** Counts how often the page is told who the person is, from now on. */
export function countAnswersAboutMe(page: Page): () => number {
  let answers = 0;
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/v1/me") answers++;
  });
  return () => answers;
}
