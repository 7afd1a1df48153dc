import { renderMermaidSVG } from 'beautiful-mermaid';

/** look has variables of the theme as colors, so that a diagram follows the switch between light and dark. */
const look = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true, padding: 8 };

/** labels returns the texts in the shapes of a flowchart, such as `[text]`, `(["text"])` and `[(text)]`. */
function labels(source: string): string[] {
  if (!/^\s*(flowchart|graph)\b/.test(source)) return [];
  return [...source.matchAll(/\b\w+ ?[[({]+"?([^"\])}|]+)"?[\])}]+/g)].map((match) => match[1]!.trim());
}

/** text returns the text of SVG without its elements. Long labels are broken into several elements. */
function text(svg: string): string {
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return svg.replace(/<[^>]+>/g, ' ').replace(/&[a-z0-9#]+;/g, (entity) => entities[entity] ?? entity).replace(/\s+/g, ' ');
}

/**
 * diagram returns a Mermaid diagram as SVG for a page. The SVG is made when the site is built, and its styles are in the theme, so that
 * a page needs neither scripts nor foreign fonts for it.
 *
 * @param page the page's path below docs
 * @param source the text of the fence
 */
export function diagram(page: string, source: string): string {
  const svg = renderMermaidSVG(source, look).replace(/<style>.*?<\/style>/s, '').replace(/^\s*\n/gm, '');
  const shown = text(svg);
  for (const label of labels(source)) {
    if (!shown.includes(label)) {
      throw new Error(`docs/${page} has a diagram that does not show the label "${label}": give it where the diagram first names the node`);
    }
  }
  return `<figure class="diagram" tabindex="0" v-pre>${svg}</figure>\n`;
}
