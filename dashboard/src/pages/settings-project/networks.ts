/** The networks of a text, one a line or apart by commas. */
export function networksOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((network) => network.trim())
    .filter(Boolean);
}
