import { axe } from "./support/axe";
import { atContent } from "./support/keyboard";
import { age, countAnswersAboutMe } from "./support/logins";
import { password, Project, url } from "./support/project";
import { expect, test } from "./support/test";

test("the keyboard reaches everything: palette, help, jumps, skip link", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.publish("A release to find");
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
  await expect(page).toHaveURL(/\/releases$/);
  await atContent(page);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type("to find");
  // Enter chooses the highlighted line.
  await expect(page.getByRole("option", { name: /A release to find/ })).toHaveAttribute("data-highlighted");
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/releases\/\d+$/);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "A release to find" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("while the server does not respond the last data stays, and the page recovers on its own", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.publish("Still here");
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  const release = page.getByRole("link", { name: "Still here", exact: true });
  await expect(release).toBeVisible();
  await page.route(/\/(v1|readyz)/, (route) => route.abort());
  await page.evaluate(() => window.dispatchEvent(new Event("waft-back")));
  await expect(page.getByRole("alert").filter({ hasText: "Waft is not responding" }).first()).toBeVisible();
  await expect(release).toBeVisible();
  await page.unroute(/\/(v1|readyz)/);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the list of projects and a person's role follow changes by others, without a reload", async ({ page, project, signIn, playwright }) => {
  const email = await signIn("editor");
  await project.publish("The first");
  await page.goto(`/app/${project.slug}/overview`);
  const pause = page.getByRole("region", { name: "production" }).getByRole("button", { name: "Pause" });
  await expect(pause).not.toHaveAttribute("aria-disabled", "true");

  const members = await project.call<{ id: number; email: string }[]>("GET", "/v1/ota/members");
  const path = `/v1/ota/members/${members.find((each) => each.email === email)?.id}`;
  await project.call("PATCH", path, { role: "viewer" });
  await expect(pause).toHaveAttribute("aria-disabled", "true");

  await age(page.request, email, "verified"); // an unverified account can only be in one project
  const second = await Project.make(project.request, "A second project");
  const { url: link } = await second.call<{ url: string }>("POST", "/v1/ota/invitations", { email, role: "viewer" });
  const elsewhere = await playwright.request.newContext();
  const accepted = await elsewhere.post(`${url}/v1/auth/invitations/accept`, { data: { token: link.split("#")[1], password } });
  expect(accepted.status(), await accepted.text()).toBe(200);
  await elsewhere.dispose();
  const switcher = page.getByRole("button", { name: "Switch project" });
  await switcher.click();
  await expect(page.getByRole("menuitem", { name: second.name })).toBeVisible();
  // The menu takes the focus after it is shown, and returns it only if it has it.
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(switcher).toBeFocused();
  await project.call("DELETE", `/v1/ota/projects/${second.slug}`, undefined, { project: false });
  await switcher.click();
  await expect(page.getByRole("menuitem", { name: project.name })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: second.name })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await project.call("DELETE", path);
  await expect(page.getByRole("heading", { name: "You are not a member of this project" })).toBeVisible();
});

test("a change of a person's role before the event stream opened is noticed", async ({ page, project, signIn }) => {
  const email = await signIn("editor");
  const answers = countAnswersAboutMe(page);
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route("**/v1/ota/stream", async (route) => {
    await opened;
    await route.continue();
  });
  const asked = page.waitForRequest("**/v1/ota/stream");
  await page.goto(`/app/${project.slug}/channels`);
  const add = page.getByRole("button", { name: "New channel" });
  await expect(add).not.toHaveAttribute("aria-disabled", "true");
  await asked;
  expect(answers(), "the stream begins at the position of this response").toBe(1);

  const members = await project.call<{ id: number; email: string }[]>("GET", "/v1/ota/members");
  await project.call("PATCH", `/v1/ota/members/${members.find((each) => each.email === email)?.id}`, { role: "viewer" });
  open();
  await expect(add).toHaveAttribute("aria-disabled", "true");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("text typed into the middle of a filter stays there", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/policies`);
  const filter = page.getByRole("searchbox");
  await filter.fill("abc");
  await expect(page).toHaveURL(/=abc$/);
  for (let steps = 0; steps < 3; steps++) await filter.press("ArrowLeft");
  await filter.pressSequentially("xyz");
  await expect(page).toHaveURL(/=xyzabc$/);
  await expect(filter).toHaveValue("xyzabc");
});

test("a page whose projects could not be loaded says so while it tries again", async ({ page, project, signIn }) => {
  await signIn();
  await page.route("**/v1/me", (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: '{"status":500,"code":"internal","detail":"Something failed in Waft."}' }));
  await page.goto(`/app/${project.slug}/releases`);
  const heading = page.getByRole("heading", { level: 1, name: "Your projects could not be loaded" });
  await expect(heading).toBeVisible();
  // The next response is delayed.
  let answer = () => {};
  const released = new Promise<void>((resolve) => (answer = resolve));
  await page.unroute("**/v1/me");
  const asked = page.waitForRequest("**/v1/me");
  await page.route("**/v1/me", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await asked;
  // The page is drawn while the retry is running.
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  expect(await heading.isVisible()).toBe(true);
  await axe(page);
  answer();
  await expect(page.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
});
