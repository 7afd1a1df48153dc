import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { problems } from './check';
import { extend } from './markdown';
import { checkScreenshots } from './screenshots';
import { navigation, sidebar } from './sidebar';

export default defineConfig({
  title: 'Waft',
  description: 'Over-the-air updates for Expo apps, on your own server.',
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  ignoreDeadLinks: 'localhostLinks',
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  markdown: {
    // The default themes have too little contrast for comments.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    // The anchors that Git hosts give to headings, so that a link with an anchor works in both places.
    anchor: { slugify: (text) => slug(text) },
    config: extend,
  },
  vite: {
    // The largest chunk is the index of the search, which a browser loads when a reader opens the search.
    build: { chunkSizeWarningLimit: 4000 },
    server: { fs: { allow: ['../..'] } },
  },
  buildEnd({ outDir }) {
    const found = problems(outDir);
    if (found.length > 0) throw new Error(`the site has ${found.length} problems:\n${found.join('\n')}`);
    checkScreenshots();
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: navigation,
    search: { provider: 'local' },
    sidebar,
    outline: [2, 3],
    externalLinkIcon: true,
    notFound: {
      title: 'Page not found',
      quote: 'The site does not have this page. It may have moved: search for its subject.',
      linkText: 'To the start page',
      linkLabel: 'go to the start page',
    },
  },
});
