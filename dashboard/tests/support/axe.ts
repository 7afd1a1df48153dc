import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// What depends on colours. Everything else is the same in both schemes.
const ofColour = ["color-contrast", "link-in-text-block"];

interface Result {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Fails for what WCAG 2.2 AA forbids on the page as it is shown; with `rules` only for those. */
export async function axe(page: Page, rules?: string[]) {
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: tags };
  // A script of the test's own world: the page's policy stays as it is.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run: (options: unknown) => Promise<Result> } };
    const { violations } = await axe.run({ runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
  }, runOnly);
  expect.soft(found, page.url()).toEqual([]);
}

/** Fails when the page is wider than the window. */
export async function fits(page: Page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(overflow, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}

/**
 * Looks at the page as it is shown, in light and dark, 1440 and 360 px wide, without loading it again: every rule at both
 * widths, since they show other elements, and the rules of colour in the other scheme of each.
 */
export async function accessible(page: Page) {
  await axe(page);
  await fits(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await axe(page, ofColour);
  await page.setViewportSize({ width: 360, height: 800 });
  await axe(page);
  await fits(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await axe(page, ofColour);
  await page.setViewportSize({ width: 1440, height: 900 });
}
