import { axe, fits } from "./support/axe";
import { url } from "./support/project";
import { expect, test, type Page } from "./support/test";

/** Opens /docs and returns the addresses of all requests of the page. */
async function open(page: Page) {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/docs");
  // Redoc renders every operation before it shows the first.
  await expect(page.getByRole("heading", { level: 1, name: /^Waft/ })).toBeVisible({ timeout: 240_000 });
  return asked;
}

test("the reference of the API is found, read and searched without other hosts", { tag: "@short" }, async ({ page }) => {
  const asked = await open(page);
  await page.getByRole("textbox", { name: "Search" }).fill("rollback");
  await page.getByRole("search").getByRole("menuitem", { name: "Roll back a rollout" }).click();
  await expect(page).toHaveURL(/\/docs#tag\/.+\/rollbackRolloutExecution$/);
  await expect(page.getByRole("heading", { name: "Roll back a rollout" })).toBeInViewport();
  expect(asked.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith("blob:"))).toEqual([]);
  expect(asked).toContain(`${url}/openapi.json`);
});

/**
 * Removes all operations but some of each kind. On a page of 200,000 pixels axe takes minutes, and compares the text of an operation
 * with the background of another operation.
 */
async function leave(page: Page, operations: string[]) {
  const left = await page.evaluate((ids) => {
    const all = [...document.querySelectorAll('[id^="operation/"]')];
    all.filter(({ id }) => !ids.includes(id)).forEach((operation) => operation.remove());
    return ids.filter((id) => document.getElementById(id));
  }, operations.map((operation) => `operation/${operation}`));
  expect(left).toHaveLength(operations.length);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`the reference fits a phone, and is readable in ${colorScheme}`, { tag: "@short" }, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ colorScheme });
    await open(page);
    await fits(page);
    await leave(page, ["getFlagDefinitions", "listUpdates", "publishBuild", "createRolloutPolicy", "patchVariation"]);
    await axe(page, { rules: ["color-contrast"] });
  });
}
