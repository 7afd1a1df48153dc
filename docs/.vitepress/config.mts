import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { problems } from './check';
import { siteLink } from './links';
import { sidebar } from './sidebar';

export default defineConfig({
  title: 'Waft',
  description: 'Over-the-air updates for Expo apps, on your own server.',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  markdown: {
    // The anchors that Git hosts give to headings, so that a link with an anchor works in both places.
    anchor: { slugify: (text) => slug(text) },
    config(md) {
      md.core.ruler.push('site-links', (state) => {
        for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
          // Braces in code are text, not expressions of Vue.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
          const href = token.attrGet('href');
          if (href !== null) token.attrSet('href', siteLink(state.env.relativePath, href));
        }
      });
    },
  },
  buildEnd({ outDir }) {
    const found = problems(outDir);
    if (found.length > 0) throw new Error(`the site has ${found.length} problems:\n${found.join('\n')}`);
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    outline: [2, 3],
  },
});
