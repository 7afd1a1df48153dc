import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Result {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Fails for what WCAG 2.2 AA forbids on the page as it is shown. */
export async function axe(page: Page) {
  // A script of the test's own world: the page's policy stays as it is.
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: unknown) => Promise<Result> } };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
  });
  expect(found, page.url()).toEqual([]);
}
