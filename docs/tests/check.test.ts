import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { problems } from '../.vitepress/check';

/** site writes files into a folder of the test, and returns its path. The home page links to each page. */
function site(files: Record<string, string>): string {
  const path = test.info().outputPath('site');
  const pages = Object.keys(files).filter((file) => file.endsWith('.html')).map((file) => `<a href="/${file}">page</a>`);
  for (const [file, text] of Object.entries({ 'index.html': pages.join(''), ...files })) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

test('a site without problems passes', () => {
  const folder = site({
    'guides/ci.html': `<h2 id="größe">Size</h2><a href="#gr%C3%B6%C3%9Fe"></a><a href="./../concepts/flags.html#rules"></a><a href="/guides/ci.html#"></a>
      <a href="https://foreign.example/page"></a><a href="mailto:a@b.example"></a><img src="../a.png" srcset="/a.png 1x, /a.png 2x">
      <img src="data:image/png;base64,AA=="><link rel="canonical" href="https://foreign.example/"><link rel="stylesheet" href="/a.css">`,
    'concepts/flags.html': '<a name="rules"></a>', 'a.png': '', 'a.css': 'b { background: url("a.png") }',
  });
  expect(problems(folder)).toEqual([]);
});

for (const [name, html, problem] of [
  ['a page that does not exist', '<a href="../concepts/flag">', 'links to ../concepts/flag, which the site does not have'],
  ['a link to a Markdown file in raw HTML', '<a href="./flags.md">', 'links to ./flags.md, which the site does not have'],
  ['an anchor on the same page', '<a href="#nowhere">', 'links to #nowhere, but docs/guides/ci.md does not have the anchor #nowhere'],
  ['an anchor on another page', '<a href="/other.html#nowhere">', 'links to /other.html#nowhere, but docs/other.md does not have the anchor #nowhere'],
  ['a missing image', '<img src="/gone.png">', 'requests /gone.png, which the site does not have'],
  ['a missing image of a set', '<img srcset="/a.png 1x, /gone.png 2x">', 'requests /gone.png, which the site does not have'],
  ['an address that is not valid', '<a href="https://[">', 'has the address https://[, which is not valid'],
  ...[
    '<img src="https://foreign.example/x">', '<script src="https://foreign.example/x"></script>', '<link rel="stylesheet" href="https://foreign.example/x">',
    '<iframe src="https://foreign.example/x"></iframe>', '<link rel="preconnect" href="https://foreign.example/x">',
    '<p style="background: url(https://foreign.example/x)">', '<style>@import "https://foreign.example/x";</style>',
  ].map((html) => [html, html, 'requests https://foreign.example/x from a foreign host; put the file into docs/ and use that'] as const),
] as const) {
  test(`the check finds ${name}`, () => {
    expect(problems(site({ 'guides/ci.html': html, 'other.html': '', 'a.png': '' }))).toEqual([`docs/guides/ci.md ${problem}`]);
  });
}

test('the check finds what stylesheets request', () => {
  const css = 'a { background: url(https://foreign.example/x) } b { background: url(gone.woff2) }';
  expect(problems(site({ 'style.css': css }))).toEqual([
    'style.css requests https://foreign.example/x, which the site does not have', 'style.css requests gone.woff2, which the site does not have',
  ]);
});

test('the check finds pages without a link to them', () => {
  expect(problems(site({ 'index.html': '', '404.html': '', 'lost.html': '<a href="/lost.html">itself</a>' })))
    .toEqual(['docs/lost.md is not linked from any page; list it in docs/.vitepress/sidebar.ts']);
});
