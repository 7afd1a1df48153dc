import { axe } from "./support/axe";
import { Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

/** Opens the palette, searches, and runs the first result, whose label must be as expected. */
async function run(page: Page, search: string, label: string | RegExp) {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type(search);
  await expect(page.getByRole("option").first()).toHaveAccessibleName(label);
  await page.keyboard.press("Enter");
}

test("the palette runs commands of the page and of the frame, each with the dialog of its button", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await project.publish("The second");
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "The second" })).toBeVisible();
  for (const [search, label, title] of [
    ["pause production", /Pause the channel production/, "Pause the channel production"],
    ["roll back", /Roll back production · iOS/, "Roll back production · iOS"],
    ["stop", /Emergency stop: stop the project/, "Stop the project"],
    ["promote", /Promote production to another channel/, /^Promote to another channel: production/],
    ["create flag", /New flag/, "New flag"],
    ["create key", /New key/, "New key"],
  ] as const) {
    await run(page, search, label);
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await run(page, "theme dark", /Theme: Dark/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await axe(page);
  await run(page, "sign out", /Sign out/);
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
});

test("single-key shortcuts can be turned off, and keys are shown as the platform names them", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Search" }).first()).toContainText("Ctrl K");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toContainText("Ctrl K");
  await help.getByRole("button", { name: "Turn single-key shortcuts off" }).click();
  await expect(help).not.toContainText("Go to Releases");
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await expect(page).toHaveURL(/\/overview$/);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await run(page, "single-key", /Turn single-key shortcuts on/);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/releases$/);
});

test("the palette switches to another project", async ({ page, project, signIn }) => {
  const other = await Project.make(project.request, "A second project of the same team");
  // An owner of the installation sees all projects, so the other project belongs to the same person by an invitation.
  await signIn();
  await page.goto(`/app/${project.slug}/overview`);
  await page.route("**/v1/me", async (route) => {
    const response = await route.fetch();
    const me = (await response.json()) as { projects: object[] };
    me.projects.push({ slug: other.slug, name: other.name, role: "viewer" });
    await route.fulfill({ response, json: me });
  });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await run(page, "switch second", /Switch to project A second project/);
  await expect(page).toHaveURL(new RegExp(`/${other.slug}/overview$`));
});
