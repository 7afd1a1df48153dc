import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run: (options: unknown) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** accessible fails if the page as shown violates WCAG 2.2 AA. */
export async function accessible(page: Page) {
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    // A color in the middle of a transition is neither the old nor the new one.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
  });
  expect.soft(found, page.url()).toEqual([]);
}
