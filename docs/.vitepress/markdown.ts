import type { MarkdownRenderer } from 'vitepress';
import { diagram } from './diagram';
import { siteLink } from './links';
import { screenshot } from './screenshots';

/** extend teaches the Markdown renderer the links, diagrams and screenshots of the pages. */
export function extend(md: MarkdownRenderer) {
  md.core.ruler.push('site', (state) => {
    const page = (state.env as { relativePath: string }).relativePath;
    for (const block of state.tokens) {
      if (block.type === 'html_block') block.content = screenshot(page, block.content);
      for (const token of block.children ?? []) {
        // Braces in code are text, not expressions of Vue.
        if (token.type === 'code_inline') token.attrSet('v-pre', '');
        const href = token.attrGet('href');
        if (href !== null) token.attrSet('href', siteLink(page, href));
      }
    }
  });
  const code = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, renderer) => {
    const fence = tokens[index]!;
    if (fence.info.trim() !== 'mermaid') return code(tokens, index, options, env, renderer);
    return diagram((env as { relativePath: string }).relativePath, fence.content);
  };
}
