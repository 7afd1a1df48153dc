import { readdirSync, readFileSync } from 'node:fs';
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

/** groups has the titles of the folders inside of a chapter. Each is a group of the sidebar. */
const groups: Record<string, string> = {
  apps: 'For app developers', releases: 'Releases', integrations: 'Integrations', analytics: 'Analytics', packages: 'Packages', playbooks: 'Playbooks',
};

/** chapter returns a chapter's groups: first the pages of the chapter's folder, then the pages of each folder inside of it. */
function chapter(text: string, paths: string[]): DefaultTheme.SidebarItem[] {
  const folder = (path: string) => path.split('/').slice(1, -1).join('/');
  return [...new Set(paths.map(folder))].map((group) =>
    ({ text: groups[group] ?? text, items: paths.filter((path) => folder(path) === group).map(page) }));
}

/** chapters has the pages of each chapter in the order in which a reader needs them. */
const chapters = {
  start: chapter('Start', [
    'start/what-is-waft',
    'start/why-waft',
    'start/first-rollout',
    'start/your-app',
  ]),
  move: chapter('Move an app', [
    'move/index',
    'move/eas-update',
    'move/hot-updater',
    'move/xprem',
    'move/codepush',
  ]),
  guides: chapter('Guides', [
    'guides/apps/index',
    'guides/apps/report-health',
    'guides/apps/personal-data',
    'guides/apps/other-reporters',
    'guides/apps/source-maps',
    'guides/apps/updates',
    'guides/apps/no-update',
    'guides/apps/code-signing',
    'guides/apps/flags',
    'guides/apps/web-flags',
    'guides/apps/server-flags',
    'guides/apps/one-part',
    'guides/apps/storage',
    'guides/apps/bare-react-native',
    'guides/releases/policy',
    'guides/releases/promote',
    'guides/releases/branch-rollout',
    'guides/releases/preview',
    'guides/releases/roll-back',
    'guides/releases/stop',
    'guides/releases/protect-a-channel',
    'guides/releases/approve',
    'guides/releases/schedule-a-flag',
    'guides/releases/ci',
    'guides/releases/github',
    'guides/releases/gitlab',
    'guides/releases/eas',
    'guides/releases/buildkite',
    'guides/integrations/webhooks',
    'guides/integrations/chat',
    'guides/integrations/language-models',
    'guides/analytics/read-only-user',
    'guides/analytics/queries',
    'guides/analytics/grafana',
    'guides/analytics/erase-and-retain',
  ]),
  concepts: chapter('Concepts', [
    'concepts/delivery',
    'concepts/rollouts',
    'concepts/downloads',
    'concepts/shares',
    'concepts/evidence',
    'concepts/networks',
    'concepts/flags',
    'concepts/approvals',
    'concepts/errors',
    'concepts/incidents',
    'concepts/reports',
    'concepts/privacy',
    'concepts/code-signing',
  ]),
  reference: chapter('Reference', [
    'reference/cli',
    'reference/settings',
    'reference/http',
    'reference/api',
    'reference/error-codes',
    'reference/events',
    'reference/dashboard', 'reference/bucketing', 'reference/project-settings', 'reference/security-bounds',
    'reference/trusted-publishers',
    'reference/previews',
    'reference/uploads',
    'reference/approvals',
    'reference/webhook-delivery',
    'reference/flags',
    'reference/metrics',
    'reference/analytics',
    'reference/report-limits',
    'reference/glossary',
    'reference/packages/index',
    'reference/packages/expo',
    'reference/packages/expo-health',
    'reference/packages/expo-updates',
    'reference/packages/expo-flags',
    'reference/packages/expo-plugin',
    'reference/packages/reports',
    'reference/packages/update-checks',
    'reference/packages/flag-values',
    'reference/packages/openfeature-server',
    'reference/packages/openfeature-web',
    'reference/packages/openfeature',
  ]),
  operations: [
    ...chapter('Operations', [
      'operations/index',
      'operations/requirements',
      'operations/network',
      'operations/processes',
    ]),
    ...chapter('Install', [
      'operations/install',
      'operations/docker',
      'operations/compose',
      'operations/server',
      'operations/kubernetes',
      'operations/helm-values',
      'operations/releases',
      'operations/proxies',
      'operations/client-addresses',
      'operations/engines',
      'operations/clickhouse-cluster',
      'operations/temporal',
      'operations/storage',
      'operations/files',
      'operations/cdn',
    ]),
    ...chapter('People', [
      'operations/first-account',
      'operations/members',
      'operations/sso',
      'operations/mail',
      'operations/passwords',
      'operations/passkeys',
      'operations/sessions',
      'operations/terminals',
      'operations/audit-log',
    ]),
    ...chapter('Run', [
      'operations/upgrade',
      'operations/backup',
      'operations/restore',
      'operations/after-a-restore',
      'operations/scale',
      'operations/quotas',
      'operations/probes',
      'operations/metrics',
      'operations/alerts',
      'operations/logs',
      'operations/traces',
      'operations/profiles',
      'operations/webhook-deliveries',
    ]),
    ...chapter('Security', [
      'operations/security-model',
      'operations/threat-model',
      'operations/secrets',
      'operations/key-rotation',
      'operations/kept-data',
    ]),
    ...chapter('Playbooks', [
      'operations/playbooks/index',
      'operations/playbooks/bad-release',
      'operations/playbooks/rollout-stuck',
      'operations/playbooks/devices-without-updates',
      'operations/playbooks/postgres-down',
      'operations/playbooks/clickhouse-down',
      'operations/playbooks/temporal-down',
      'operations/playbooks/disk-full',
      'operations/playbooks/leaked-key',
      'operations/playbooks/locked-out',
      'operations/playbooks/flood',
      'operations/playbooks/commands',
      'operations/playbooks/held-rollouts',
    ]),
  ],
  contribute: chapter('Contribute', [
    'contribute/index', 'contribute/architecture', 'contribute/delivery', 'contribute/telemetry', 'contribute/rollout-statistics', 'contribute/patches', 'contribute/benchmarks', 'contribute/costs', 'contribute/dashboard', 'contribute/api-coverage',
    'contribute/style', 'contribute/pages', 'adr/README', 'contribute/security', 'contribute/changelog',
  ]),
};

/** decisions has every ADR, which the page of the index lists by subject. */
const decisions = readdirSync(new URL('../adr/', import.meta.url)).filter((file) => /^\d/.test(file)).sort()
  .map((file) => page('adr/' + file.replace('.md', '')));

const start = [...chapters.start, ...chapters.move];
const contribute = [...chapters.contribute, { text: 'Decisions', items: decisions }];

/** sidebar has the chapters to show with the pages of each folder. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/start/': start, '/move/': start, '/guides/': chapters.guides, '/concepts/': chapters.concepts, '/reference/': chapters.reference,
  '/operations/': chapters.operations, '/contribute/': contribute, '/adr/': contribute,
};

/** navigation leads to the first page of each chapter. */
export const navigation: DefaultTheme.NavItemWithLink[] = [
  ['Start', 'start|move'], ['Guides', 'guides'], ['Concepts', 'concepts'], ['Reference', 'reference'], ['Operations', 'operations'],
  ['Contribute', 'contribute|adr'],
].map(([text, folders]) => ({ text: text!, link: chapters[text!.toLowerCase() as keyof typeof chapters][0]!.items![0]!.link!, activeMatch: `^/(${folders})/` }));
