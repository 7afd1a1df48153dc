import { expect, type Page } from "@playwright/test";

/** Waits until the page has one heading and is not loading. */
export async function settled(page: Page, path = page.url()) {
  await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" }), path).toHaveCount(0);
}

/** Opens another page of the dashboard in the same document, as a link does. */
export async function visit(page: Page, path: string) {
  // For another record of the same page, React reuses the heading's element, which hides the change. So go through the overview.
  const [from, to] = [new URL(page.url()).pathname.split("/"), path.split("/")];
  if (from.length === 5 && to.length === 5 && from[3] === to[3] && to[3] !== "settings") await visit(page, `/app/${to[2]}/overview`);
  await page.evaluate((path) => {
    document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", path);
  }, path);
  await expect(page.locator("h1:not([data-left])"), path).toHaveCount(1);
  await settled(page, path);
}
