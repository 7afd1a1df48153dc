import { expect, type Page } from "@playwright/test";

/** Waits until the page shows what it has: one heading, and nothing that loads. */
export async function settled(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}

/** Opens a page of the dashboard in the window that shows another one, as a link does: nothing is loaded again. */
export async function visit(page: Page, path: string) {
  await page.evaluate((path) => {
    document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", path);
  }, path);
  await expect(page.locator("h1:not([data-left])"), path).toHaveCount(1);
  await settled(page);
}
