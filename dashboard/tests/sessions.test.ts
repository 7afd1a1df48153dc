import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { age, countAnswersAboutMe, logIn } from "./support/logins";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("a session that expires while a page is open leads to the sign-in page, and back", { tag: "@short" }, async ({ page, project, signIn, request }) => {
  const email = await signIn("viewer");
  // Without the event stream, only a request can reveal that the session has expired.
  await page.route("**/v1/ota/stream", (route) => route.abort());
  const answers = countAnswersAboutMe(page);
  await page.goto(`/app/${project.slug}/flags?q=dark`);
  // A pending request would reveal it too, so wait for all of them.
  await expect.poll(answers).toBe(1);
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
  await age(request, email, "expired");
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Segments" }).click();
  await logIn(page, email);
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/segments$`));
  await expect(page.getByRole("heading", { level: 1, name: "Segments" })).toBeVisible();
});

test("a session that is ended elsewhere leads the open page to the sign-in page, and back to its address", async ({ page, project, signIn, browser }) => {
  const email = await signIn("editor");
  await page.goto(`/app/${project.slug}/flags?q=dark`);
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();

  const elsewhere = await browser.newContext({ baseURL: url });
  expect((await elsewhere.request.post(`${url}/v1/auth/login`, { data: { email, password } })).status()).toBe(200);
  const other = await elsewhere.newPage();
  await other.goto(`/app/${project.slug}/settings/sessions`);
  await expect(other.getByRole("row")).toHaveCount(3);
  await other.getByRole("button", { name: /^End the session of/ }).click();
  await other.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
  await expect(other.getByRole("row"), "the heading and the current session").toHaveCount(2);

  // The open page shows the sign-in page without any action.
  await logIn(page, email);
  await expect(page).toHaveURL(new RegExp(`/app/${project.slug}/flags\\?q=dark$`));
  await expect(other.getByRole("heading", { level: 1, name: "Sessions" }), "the other session continues").toBeVisible();
  await elsewhere.close();
});

test("a page of another origin cannot change anything with a person's session", async ({ page, project, signIn, violations }) => {
  await signIn("admin");
  // The page is of the same site, so the browser sends the session's cookie.
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!doctype html><title>Elsewhere</title><form method="post" action="${url}/v1/auth/logout"><button>Win a prize</button></form>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const elsewhere = `http://localhost:${(server.address() as AddressInfo).port}`;
  const isSignedIn = async () => (await page.request.get(`${url}/v1/me`)).status() === 200;
  try {
    await page.goto(elsewhere);
    const answered = page.waitForResponse(`${url}/v1/auth/logout`);
    await page.getByRole("button", { name: "Win a prize" }).click();
    const answer = await answered;
    expect(await answer.request().headerValue("cookie"), "the browser sends the session").toContain("waft_session");
    expect(answer.status()).toBe(403);
    expect(await isSignedIn()).toBe(true);

    await page.goto(elsewhere);
    const outcomes = await page.evaluate(
      async ({ url, project }) => {
        const attempt = (init: RequestInit) =>
          fetch(`${url}/v1/ota/branches`, { method: "POST", credentials: "include", body: '{"name":"stolen"}', ...init }).then(
            (response) => response.type,
            () => "refused",
          );
        return [
          await attempt({ mode: "no-cors", headers: { "Content-Type": "text/plain" } }),
          await attempt({ headers: { "Content-Type": "application/json", "X-Project": project } }),
        ];
      },
      { url, project: project.slug },
    );
    expect(outcomes, "the first is sent but unreadable; the second is not sent").toEqual(["opaque", "refused"]);
    expect(await project.call("GET", "/v1/ota/branches")).not.toContainEqual(expect.objectContaining({ name: "stolen" }));

    // The same call is accepted from the dashboard's own origin.
    await page.goto(`/app/${project.slug}/overview`);
    const taken = page.waitForResponse(`${url}/v1/auth/logout`);
    // The page does not wait for the response, because it may go to the sign-in page before.
    await page.evaluate(() => void fetch("/v1/auth/logout", { method: "POST" }));
    expect((await taken).status()).toBe(204);
    expect(await isSignedIn()).toBe(false);
    // The page notices, and leads to the sign-in page.
    await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  } finally {
    server.close();
    violations.length = 0;
  }
});
