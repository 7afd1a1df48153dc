import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the dashboard's browser tests write the screenshots that the site shows, below the repository's root. */
const folder = 'build/site-screenshots';
const absolute = fileURLToPath(new URL(`../../${folder}`, import.meta.url));

/** required makes a screenshot that is missing an error. People who edit pages do not need them. */
const required = process.env.WAFT_SITE_SCREENSHOTS === 'required';

/** used has the screenshots that pages show. */
const used = new Set<string>();

/** missing returns the screenshots that pages show and the tests have not taken yet. */
function missing(): string[] {
  return [...used].filter((name) => ['light', 'dark'].some((scheme) => !existsSync(`${absolute}/${name}-${scheme}.png`)));
}

/** pictures returns the picture of the dashboard in both color schemes; the theme shows one of them, which scrolls on a phone. */
function pictures(page: string, name: string, caption: string): string {
  const path = posix.relative(posix.dirname('docs/' + page), folder);
  const images = ['light', 'dark']
    .map((scheme) => `<img class="${scheme}" src="${path}/${name}-${scheme}.png" alt="${caption}" width="1280" height="800" loading="lazy">`);
  return `<div tabindex="0">${images.join('')}</div>`;
}

/**
 * screenshot replaces a comment `<!-- screenshot: NAME: CAPTION -->` by the screenshot with its caption. Screenshots are not in the
 * repository: without them the site has a note in their place.
 *
 * @param page the page's path below docs
 * @param html a block of HTML of the page
 */
export function screenshot(page: string, html: string): string {
  return html.replace(/<!-- screenshot: ([a-z-]+): (.*?) -->/gs, (_, name: string, text: string) => {
    used.add(name);
    const caption = text.replace(/\s+/g, ' ').replaceAll('"', '&quot;');
    const shown = missing().includes(name) ? '<p>The screenshot is missing: <code>make page-test</code> takes it.</p>' : pictures(page, name, caption);
    return `<figure class="screenshot">${shown}<figcaption>${caption}</figcaption></figure>`;
  });
}

/** checkScreenshots fails or warns if a screenshot is missing. If they are required, a screenshot that no page shows is an error, too. */
export function checkScreenshots() {
  const names = missing();
  const message = `screenshots are missing in ${folder}: ${names.join(', ')}; make page-test takes them`;
  if (names.length > 0 && required) throw new Error(message);
  if (names.length > 0) console.warn(message);
  const taken = existsSync(absolute) ? readdirSync(absolute).map((file) => file.replace(/-(light|dark)\.png$/, '')) : [];
  const unused = taken.filter((name) => !used.has(name));
  if (unused.length > 0 && required) throw new Error(`no page shows the screenshots ${unused.join(', ')} of ${folder}`);
}
