import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const root = dirname(docs.replace(/\/$/, ''));

/** The address of the repository, for links to folders and to files that the site does not have. */
const repository = 'https://github.com/waft-ota/waft';

/** included has the pages that include a file of the repository's root. Links of that file are relative to the root. */
const included: Record<string, string> = {
  'CONTRIBUTING.md': 'contribute/index.md', 'CHANGELOG.md': 'contribute/changelog.md', 'SECURITY.md': 'contribute/security.md',
};

/**
 * siteLink returns the link of the site for a link of a Markdown file. A link to a page of the site stays a link to its file, which
 * VitePress resolves and checks. A link to another file of the repository becomes a link to the repository. A link to a file that does
 * not exist is an error.
 *
 * @param page the page's path below docs
 * @param href the link as written, such as `../concepts/flags.md#contexts`
 */
export function siteLink(page: string, href: string): string {
  if (/^[a-z]+:|^#|^\//.test(href)) return href;
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href)!;
  const from = Object.values(included).includes(page) ? root : join(docs, dirname(page));
  const target = normalize(join(from, file));
  if (!existsSync(target)) throw new Error(`docs/${page} links to ${href}, which does not exist`);
  const inDocs = included[relative(root, target)] ?? relative(docs, target);
  if (inDocs.endsWith('.md') && !inDocs.startsWith('..')) return './' + posix.relative(dirname(page), inDocs) + anchor;
  return `${repository}/${statSync(target).isDirectory() ? 'tree' : 'blob'}/main/${relative(root, target)}${anchor}`;
}
