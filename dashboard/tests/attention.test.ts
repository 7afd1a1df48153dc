import { axe } from "./support/axe";
import { expect, test, type Page } from "./support/test";
import { password, url, type Project } from "./support/project";

/** Makes changes of the channel production wait for the approval of a second person. */
const protect = (project: Project) => project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" }).first();

test("the project is stopped with two clicks from any page, and every page shows the person, the reason, and how to end it", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.publish("The first");
  const email = await signIn("editor");
  await page.goto(`/app/${project.slug}/webhooks`);
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  await page.getByRole("button", { name: "Emergency stop" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop the project" });
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("production, staging: running → paused");
  await dialog.getByLabel("Reason").fill("Payments fail");
  await dialog.getByRole("button", { name: "Stop the project" }).click();

  const banner = page.getByRole("region", { name: "Emergency stop" });
  await expect(banner).toContainText(`${email} stopped this project on`);
  await expect(banner).toContainText("Reason: Payments fail");
  await axe(page);
  for (const path of ["overview", "flags", "settings/project"]) {
    await page.goto(`/app/${project.slug}/${path}`);
    await expect(page.getByRole("region", { name: "Emergency stop" }).first()).toContainText("Payments fail");
  }

  await page.goto(`/app/${project.slug}/overview`);
  const production = page.getByRole("region", { name: "production" });
  await expect(production.getByText("Paused, project stopped")).toBeVisible();
  await production.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("dialog")).toContainText("This resumes only this channel");
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(banner).toBeVisible();
  await axe(page);
  await banner.getByRole("button", { name: "Resume the project" }).click();
  await page.getByRole("dialog", { name: "Resume the project" }).getByRole("button", { name: "Resume the project" }).click();
  await expect(banner).toHaveCount(0);
  await page.getByRole("button", { name: "Emergency stop" }).click();
  await expect(page.getByRole("dialog", { name: "Stop the project" })).toBeVisible();
});

test("a stop by someone else is shown without a reload", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/policies`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await project.call("POST", "/v1/ota/emergency-stop", { reason: "Crashes at the start" });
  const banner = page.getByRole("region", { name: "Emergency stop" });
  await expect(banner).toContainText("Reason: Crashes at the start");
  await expect(banner.getByRole("button", { name: "Resume the project" })).toHaveAttribute("aria-disabled", "true");
  await project.call("DELETE", "/v1/ota/emergency-stop");
  await expect(banner).toHaveCount(0);
});

test("the navigation counts the approvals that wait for the person, and not the person's own", async ({ page, project, signIn, playwright }) => {
  await project.publish("The first");
  await protect(project);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const approvals = navigation(page).getByRole("link", { name: /^Approvals/ });
  await expect(approvals).toHaveAccessibleName("Approvals");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  // A colleague asks.
  const elsewhere = await playwright.request.newContext();
  const { token } = await project.invite("editor");
  const joined = await elsewhere.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: "Colleague", password } });
  expect(joined.status(), await joined.text()).toBe(200);
  const pause = { isCritical: true };
  const [release] = await project.call<{ id: number }[]>("GET", "/v1/ota/updates?limit=1");
  const ask = (from: typeof elsewhere) =>
    from.patch(`${url}/v1/ota/updates/${release!.id}`, { data: pause, headers: { "X-Project": project.slug, Origin: url } });
  const asked = await ask(elsewhere);
  expect(asked.status(), await asked.text()).toBe(202);
  await expect(approvals).toHaveAccessibleName("Approvals 1 waiting for you");
  const own = await ask(page.request);
  expect(own.status(), await own.text()).toBe(202);
  const [, first] = await project.call<{ id: number }[]>("GET", "/v1/ota/approvals");
  await approvals.click();
  await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();
  await axe(page);
  await elsewhere.post(`${url}/v1/ota/approvals/${first!.id}/reject`, { data: {}, headers: { "X-Project": project.slug, Origin: url } });
  await expect(approvals).toHaveAccessibleName("Approvals");
  await elsewhere.dispose();
});
