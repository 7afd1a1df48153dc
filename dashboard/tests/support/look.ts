import { expect, type Page } from "@playwright/test";

/** Waits until the page shows what it has: one heading, and nothing that loads. */
export async function settled(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}
