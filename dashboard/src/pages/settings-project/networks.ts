/** Returns the networks in a text, one per line or separated by commas. */
export function networksOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((network) => network.trim())
    .filter(Boolean);
}
