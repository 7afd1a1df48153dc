import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

/** read returns the text of a page, or of the file of the repository's root that the page includes. */
function read(path: string): string {
  const text = readFileSync(new URL(`../${path}.md`, import.meta.url), 'utf8');
  const included = /^<!--@include: ..\/..\/([A-Z]+)\.md-->$/m.exec(text)?.[1];
  return included === undefined ? text : readFileSync(new URL(`../../${included}.md`, import.meta.url), 'utf8');
}

/** page returns the entry of a page in the sidebar, with the page's own title. */
function page(path: string): DefaultTheme.SidebarItem {
  const text = read(path);
  const title = /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '');
  if (title === undefined) throw new Error(`docs/${path}.md has no title: begin it with a line "# Title"`);
  return { text: title, link: '/' + path.replace(/(^|\/)index$/, '$1') };
}

function chapter(text: string, paths: string[], collapsed = true): DefaultTheme.SidebarItem {
  return { text, collapsed, items: paths.map(page) };
}

/** sidebar lists the chapters in the order in which a reader needs them. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  chapter('Start', ['start/first-rollout', 'start/your-app'], false),
  chapter('Move an app', ['move/index']),
  chapter('Guides', [
    'guides/releases/ci',
    'guides/integrations/webhooks',
    'guides/integrations/language-models',
    'guides/analytics/queries',
  ]),
  chapter('Concepts', [
    'concepts/rollouts', 'concepts/flags', 'concepts/approvals', 'concepts/errors',
  ]),
  chapter('Reference', [
    'reference/cli', 'reference/dashboard', 'reference/bucketing', 'reference/project-settings', 'reference/security-bounds',
    'reference/trusted-publishers',
    'reference/previews',
    'reference/glossary',
  ]),
  chapter('Operations', [
    'operations/index', 'operations/install', 'operations/server', 'operations/kubernetes', 'operations/proxies', 'operations/engines',
    'operations/storage', 'operations/temporal', 'operations/secrets', 'operations/people', 'operations/alerts', 'operations/backup',
    'operations/after-a-restore', 'operations/threat-model',
  ]),
  chapter('Contribute', [
    'contribute/index', 'contribute/architecture', 'contribute/delivery', 'contribute/telemetry', 'contribute/rollout-statistics', 'contribute/patches', 'contribute/benchmarks', 'contribute/api-coverage',
    'contribute/style', 'contribute/pages', 'adr/README', 'contribute/security', 'contribute/changelog',
  ]),
];
