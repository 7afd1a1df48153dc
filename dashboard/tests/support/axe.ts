import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// Rules that a colour scheme or a width can change. All other rules have the same result in both schemes and at both widths.
const ofColour = ["color-contrast", "link-in-text-block"];
const ofWidth = [...ofColour, "target-size", "scrollable-region-focusable", "button-name", "link-name", "label", "select-name"];

const ofPage = ["region", "page-has-heading-one", "landmark-one-main", "bypass"];

interface Result {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

interface Scope {
  /** The rules to check. By default all of WCAG 2.2 AA and axe's best practices. */
  rules?: string[];
  /** CSS selector of the part to check. By default the whole page. */
  within?: string;
}

/** Waits until no transition runs, because a colour in the middle of a transition is neither the old nor the new one. */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Fails if the page as shown violates WCAG 2.2 AA. */
export async function axe(page: Page, { rules, within }: Scope = {}) {
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: tags };
  // A part of a page has no landmarks or headings of its own.
  const disabled = within && !rules ? Object.fromEntries(ofPage.map((rule) => [rule, { enabled: false }])) : {};
  // A focus guard passes focus on immediately.
  const context = { ...(within && { include: [[within]] }), exclude: [["[data-base-ui-focus-guard]"]] };
  // The script runs in the test's own world, so the page's content security policy stays as it is.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  await settled(page);
  const found = await page.evaluate(
    async ({ context, runOnly, disabled }) => {
      const { axe } = window as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<Result> } };
      const { violations } = await axe.run(context, { runOnly, rules: disabled, resultTypes: ["violations"], preload: false, iframes: false });
      return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
    },
    { context, runOnly, disabled },
  );
  expect.soft(found, page.url()).toEqual([]);
}

/** Fails if the page is wider than the window. */
export async function fits(page: Page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(overflow, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}

/** Waits until a frame is drawn. By then, charts and other content have followed a change of scheme or window size. */
async function drawn(page: Page) {
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
}

/**
 * Checks the page as shown, or the part in `within`, in light and dark and at 1440 and 360 px, without a reload. It checks every
 * rule once. After each switch it checks only the rules that the switch can change.
 */
export async function accessible(page: Page, within?: string) {
  await axe(page, { within });
  await fits(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await drawn(page);
  await axe(page, { rules: ofColour, within });
  await page.setViewportSize({ width: 360, height: 800 });
  await drawn(page);
  await axe(page, { rules: ofWidth, within });
  await fits(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await drawn(page);
  await axe(page, { rules: ofColour, within });
  await page.setViewportSize({ width: 1440, height: 900 });
  await drawn(page);
}
