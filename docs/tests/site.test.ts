import { accessible } from './support/axe';
import { addresses, expect, test } from './support/site';

test('the home page leads to the chapters', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle(/Waft/);
  for (const chapter of ['Start', 'Guides', 'Concepts', 'Reference', 'Operations']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: chapter, exact: true }).click();
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/${chapter.toLowerCase()}/`));
  }
});

test('the search finds a section of a page', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('glossary words');
  const result = page.getByRole('option').filter({ hasText: 'Glossary' }).first();
  await expect(result).toBeVisible();
  await result.click();
  await expect(page).toHaveURL(/\/reference\/glossary.html#./);
  const heading = page.locator(new URL(page.url()).hash);
  await expect(heading).toBeInViewport();
});

test('dark mode stays on the next page', async ({ page }) => {
  await page.goto('/start/first-rollout.html');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('switch', { name: /dark/i }).first().click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.goto('/reference/cli.html');
  expect(await background()).toBe(dark);
});

test('an address that does not exist has a page that leads back', async ({ page, problems }) => {
  await page.goto('/gone');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await accessible(page);
  await page.getByRole('link', { name: 'go to the start page' }).click();
  await expect(page).toHaveURL('/');
  // The browser logs the status of the missing page.
  expect(problems.splice(0)).toEqual([expect.stringContaining('404')]);
});

for (const part of [0, 1]) {
  test(`no page is wider than a phone, and every picture loads, part ${part + 1}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    for (const address of addresses.filter((_, index) => index % 2 === part)) {
      await page.goto(address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(wide, `pixels by which ${address} is wider than the window`).toBe(0);
      const broken = await page.evaluate(async () => {
        const images = [...document.images].filter((image) => image.checkVisibility());
        images.forEach((image) => (image.loading = 'eager'));
        const failed = await Promise.all(images.map((image) => image.decode().then(() => '', () => image.src)));
        return failed.filter(Boolean);
      });
      expect.soft(broken, `pictures of ${address} that do not load`).toEqual([]);
    }
  });
}

/** Pages with a table, a diagram, a screenshot, long code, and the longest page. */
const varied = [
  '/', '/start/what-is-waft.html', '/start/why-waft.html', '/start/first-rollout.html', '/reference/glossary.html', '/contribute/architecture.html',
  '/concepts/evidence.html',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages are accessible in ${colorScheme} mode`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const address of varied) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(address);
      await accessible(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await accessible(page);
    }
  });
}
