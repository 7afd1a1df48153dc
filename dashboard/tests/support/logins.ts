import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { password, url } from "./project";

/**
 * Changes the person's account by `how`. "old" makes all of their sessions too old for actions that require a recent sign-in,
 * "expired" makes the sessions expire, and "verified" verifies their address as an operator does.
 */
export async function age(request: APIRequestContext, email: string, how: "old" | "expired" | "verified" = "old") {
  const answer = await request.post(`${process.env.WAFT_SESSION_AGES}/${how}?email=${encodeURIComponent(email)}`);
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Fills in and sends the form of the sign-in page. */
export async function logIn(page: Page, email: string) {
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs in on the page of the identity provider. */
export async function signInAtProvider(page: Page, name: string) {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("secret");
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Adds an authenticator to the browser that verifies the person automatically. */
export async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

/** Returns the sign-in method of the browser's session. */
export async function sessionMethod(page: Page) {
  const sessions = (await (await page.request.get(`${url}/v1/auth/sessions`)).json()) as { isCurrent: boolean; method: string }[];
  return sessions.find((each) => each.isCurrent)?.method;
}

/** Counts responses to /v1/me from now on. Returns a function that returns the count. */
export function countAnswersAboutMe(page: Page): () => number {
  let answers = 0;
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/v1/me") answers++;
  });
  return () => answers;
}
