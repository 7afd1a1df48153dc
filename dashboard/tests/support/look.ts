import { expect, type Page } from "@playwright/test";

/** Waits until the page shows what it has: one heading, and nothing that loads. */
export async function settled(page: Page, path = page.url()) {
  await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" }), path).toHaveCount(0);
}

/** Opens a page of the dashboard in the window that shows another one, as a link does: nothing is loaded again. */
export async function visit(page: Page, path: string) {
  // Another record on the same page keeps the heading's element, so that one would not see that it changed.
  const [from, to] = [new URL(page.url()).pathname.split("/"), path.split("/")];
  if (from.length === 5 && to.length === 5 && from[3] === to[3] && to[3] !== "settings") await visit(page, `/app/${to[2]}/overview`);
  await page.evaluate((path) => {
    document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", path);
  }, path);
  await expect(page.locator("h1:not([data-left])"), path).toHaveCount(1);
  await settled(page, path);
}
