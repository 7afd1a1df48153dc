import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';

/** Reference is a link that a reader follows, or a file that the browser requests with the page. */
interface Reference {
  href: string;
  requested: boolean;
}

/** Page is a page of the built site, as the check reads it. */
interface Page {
  /** The page's source, such as `docs/concepts/flags.md`. */
  source: string;
  /** The page's address on the site, such as `/concepts/flags.html`. */
  address: string;
  anchors: Set<string>;
  references: Reference[];
}

/** requests lists the attributes by which elements request a file. Links of `<link>` depend on `rel`. */
const requests: Record<string, string[]> = {
  audio: ['src'], embed: ['src'], iframe: ['src'], image: ['href', 'xlink:href'], img: ['src', 'srcset'], input: ['src'], object: ['data'],
  script: ['src'], source: ['src', 'srcset'], track: ['src'], use: ['href', 'xlink:href'], video: ['src', 'poster'],
};

/** named lists the values of `rel` whose links are named only, and not requested. */
const named = ['canonical', 'alternate', 'author', 'license', 'prev', 'next'];

/** host is a host that does not exist. Addresses of the site are resolved below it. */
const host = 'https://site.invalid';

/** inStyle returns the addresses that CSS requests. */
function inStyle(css: string): string[] {
  return [...css.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g)].map(([, url, imported]) => url ?? imported ?? '');
}

/** addresses returns the addresses in the value of an attribute. `srcset` has several. */
function addresses(attribute: string, value: string): string[] {
  return attribute === 'srcset' ? value.split(',').map((each) => each.trim().split(/\s+/)[0] ?? '') : [value];
}

/** read parses a page of the built site. */
function read(file: string, html: string): Page {
  const page: Page = { source: `docs/${file.replace(/\.html$/, '.md')}`, address: '/' + file, anchors: new Set(), references: [] };
  const request = (href: string) => page.references.push({ href, requested: true });
  let style = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (attributes.id) page.anchors.add(attributes.id);
      if (tag === 'a' && attributes.name) page.anchors.add(attributes.name);
      if ((tag === 'a' || tag === 'area') && attributes.href) page.references.push({ href: attributes.href, requested: false });
      if (tag === 'link' && attributes.href && !named.includes(attributes.rel ?? '')) request(attributes.href);
      for (const attribute of requests[tag] ?? []) {
        const value = attributes[attribute];
        if (value) addresses(attribute, value).forEach(request);
      }
      if (attributes.style) inStyle(attributes.style).forEach(request);
      style = tag === 'style';
    },
    ontext(text) {
      if (style) inStyle(text).forEach(request);
    },
    onclosetag() {
      style = false;
    },
  });
  parser.end(html);
  return page;
}

/** pathOf returns the path of a link's file. The page of a folder is its `index.html`, as on any web server. */
function pathOf(url: URL): string {
  return url.pathname.replace(/\/$/, '/index.html');
}

/** isFile reports whether the site has a file. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** decoded returns a part of an address without its percent encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** problem returns what is wrong with a reference of a page, or undefined. */
function problem(site: string, pages: Map<string, Page>, page: Page, { href, requested }: Reference): string | undefined {
  if (!URL.canParse(href, host + page.address)) return `${page.source} has the address ${href}, which is not valid`;
  const url = new URL(href, host + page.address);
  if (url.origin !== host) {
    const foreign = requested && url.protocol !== 'data:';
    return foreign ? `${page.source} requests ${href} from a foreign host; put the file into docs/ and use that` : undefined;
  }
  const target = pages.get(pathOf(url));
  if (target === undefined) {
    if (isFile(join(site, decoded(url.pathname)))) return undefined;
    return `${page.source} ${requested ? 'requests' : 'links to'} ${href}, which the site does not have`;
  }
  const anchor = decoded(url.hash.slice(1));
  if (anchor === '' || target.anchors.has(anchor)) return undefined;
  return `${page.source} links to ${href}, but ${target.source} does not have the anchor #${anchor}`;
}

/** problemsOfStyles returns the foreign and missing files that the stylesheets request. */
function problemsOfStyles(site: string, files: string[]): string[] {
  return files.filter((file) => file.endsWith('.css')).flatMap((file) =>
    inStyle(readFileSync(join(site, file), 'utf8')).flatMap((href) => {
      const url = new URL(href, `${host}/${file}`);
      if (url.protocol === 'data:' || (url.origin === host && isFile(join(site, url.pathname)))) return [];
      return [`${file} requests ${href}, which the site does not have`];
    }));
}

/** unlinked returns the pages to which no other page links, so that readers do not find them. */
function unlinked(pages: Map<string, Page>): string[] {
  const linked = new Set(['/index.html', '/404.html']);
  for (const page of pages.values()) {
    for (const { href } of page.references) {
      const path = URL.canParse(href, host + page.address) ? pathOf(new URL(href, host + page.address)) : '';
      if (path !== page.address) linked.add(path);
    }
  }
  return [...pages.values()].filter(({ address }) => !linked.has(address))
    .map(({ source }) => `${source} is not linked from any page; list it in docs/.vitepress/sidebar.ts`);
}

/**
 * problems returns what is wrong with a built site: links to pages and anchors that do not exist, missing files, requests to other hosts,
 * and pages to which no page links. Each problem names its page and the link.
 *
 * @param site the folder of the built site
 */
export function problems(site: string): string[] {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).sort();
  const pages = new Map(files.filter((file) => file.endsWith('.html'))
    .map((file) => read(file, readFileSync(join(site, file), 'utf8'))).map((page) => [page.address, page]));
  const found = [...pages.values()].flatMap((page) => page.references.flatMap((reference) => problem(site, pages, page, reference) ?? []));
  return [...new Set([...found, ...problemsOfStyles(site, files), ...unlinked(pages)])];
}
