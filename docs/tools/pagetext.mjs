/** Returns the text of a page that TypeDoc has written, with the module as its title. */
export function plain(text, module) {
  return withReferences(text.replace(/^# .*/, `# ${module}`))
    .split('\n').map(withDefault).join('\n')
    .replace(/\n+$/, '\n');
}

/** Returns the text with one paragraph for all types that an entry exports for a second time, instead of a section for each. */
function withReferences(text) {
  const sections = text.split('\n***\n\n');
  const isReference = (section) => /^## .*\n\nRe-exports \[/.test(section);
  const links = sections.filter(isReference).map((section) => /\[(\w+)\](\(.*\))/.exec(section)).map(([, name, link]) => `[\`${name}\`]${link}`);
  const rest = sections.filter((section) => !isReference(section)).join('\n***\n\n');
  return links.length === 0 ? rest : `${rest.trimEnd()}\n\n## Types\n\nThe entry also exports these types: ${links.join(', ')}.\n`;
}

/** Returns a row of a table of settings with its default in words: the plugin writes every default as code, and a missing one as undefined. */
function withDefault(line) {
  const [, before, value, after] = /^(\| <a id="property-.*? \| .*? \| )`([^`|]*)`( \| .* \|)$/.exec(line) ?? [];
  if (value === undefined) return line;
  const isCode = /^(true|false|\d+|'.*')$/.test(value);
  return `${before}${value === 'undefined' ? 'required' : isCode ? `\`${value}\`` : value}${after}`;
}
