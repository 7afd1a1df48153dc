import type { APIRequestContext } from "@playwright/test";
import { axe } from "./support/axe";
import { age, logIn } from "./support/logins";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

interface Begun {
  secret: string;
  code: string;
}

/** Begins the sign-in of a terminal, as `waft login` does. */
async function begin(request: APIRequestContext, name: string): Promise<Begun> {
  const answer = await request.post(`${url}/v1/auth/terminal-logins`, { data: { name } });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as Begun;
}

const poll = (request: APIRequestContext, { secret }: Begun) => request.post(`${url}/v1/auth/terminal-session`, { data: { secret } });

for (const width of [1280, 360]) {
  test(`a person compares the code and confirms a terminal, at ${width} pixels`, { tag: "@short" }, async ({ page, project, signIn, playwright }, info) => {
    await page.setViewportSize({ width, height: 800 });
    const terminal = await playwright.request.newContext();
    const begun = await begin(terminal, "build-7.a-rather-long-name.of.a-machine.example.com");
    const email = await signIn("editor");
    await page.context().clearCookies();
    await page.goto(`/app/terminal#${begun.code}`);
    // The page keeps the code over the sign-in.
    await logIn(page, email);
    await expect(page.getByRole("heading", { level: 1, name: "Sign in a terminal" })).toBeVisible();
    await expect(page.getByText(begun.code, { exact: true })).toBeVisible();
    await expect(page.getByText("build-7.a-rather-long-name")).toBeVisible();
    await expect(page.getByText("127.0.0.1")).toBeVisible();
    await expect(page.getByRole("main").getByText(email)).toBeVisible();
    await axe(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the window").toBe(true);
    await page.screenshot({ path: info.outputPath("terminal.png"), fullPage: true });
    expect((await (await poll(terminal, begun)).json()).state, "opening the page does not confirm").toBe("pending");

    await page.getByRole("button", { name: "The codes match: sign it in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "The terminal is signed in" })).toBeVisible();
    await axe(page);
    const confirmed = await poll(terminal, begun);
    expect((await confirmed.json()).user.email).toBe(email);
    expect((await terminal.get(`${url}/v1/me`)).status()).toBe(200);

    await page.goto(`/app/${project.slug}/settings/sessions`);
    const row = page.getByRole("row").filter({ hasText: "waft on build-7" });
    await expect(row).toBeVisible();
    await row.getByRole("button", { name: /^End the session of waft on build-7/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
    // While the dialog is open, no row is found.
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(row).toHaveCount(0);
    expect((await terminal.get(`${url}/v1/me`)).status()).toBe(401);
    await terminal.dispose();
  });
}

test("a person types the code and refuses; a used code names the fix", async ({ page, signIn, playwright }) => {
  const terminal = await playwright.request.newContext();
  const begun = await begin(terminal, "a stranger");
  await signIn("viewer");
  await page.goto("/app/terminal");
  await page.getByLabel("Code", { exact: true }).fill(begun.code.toLowerCase().replace("-", " "));
  await axe(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The sign-in is refused" })).toBeVisible();
  expect((await poll(terminal, begun)).status()).toBe(403);

  await page.goto(`/app/terminal#${begun.code}`);
  await expect(page.getByRole("alert")).toContainText("run waft login again");
  await page.getByRole("button", { name: "Enter another code" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
  await terminal.dispose();
});

test("a sign-in that is not recent is repeated before a terminal is confirmed", async ({ page, signIn, playwright, request }) => {
  const terminal = await playwright.request.newContext();
  const begun = await begin(terminal, "laptop");
  const email = await signIn("admin");
  await age(request, email);
  await page.goto(`/app/terminal#${begun.code}`);
  await page.getByRole("button", { name: "The codes match: sign it in" }).click();
  await page.getByRole("dialog").getByLabel("Password").fill(password);
  await page.getByRole("dialog").getByLabel("Password").press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "The terminal is signed in" })).toBeVisible();
  expect((await poll(terminal, begun)).status()).toBe(200);
  await terminal.dispose();
});
