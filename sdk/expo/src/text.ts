/** The maximum size of a map of strings. */
export interface MapLimit {
  entries: number;
  /** Maximum length of each name and value. */
  text: number;
}

/** Returns the first entries of a map, with names and values cut to the limit. */
export function bounded(map: Record<string, unknown>, { entries, text }: MapLimit): Record<string, string> {
  const few: Record<string, string> = {};
  for (const [name, value] of Object.entries(map).slice(0, entries)) {
    few[name.slice(0, text)] = printed(value).slice(0, text);
  }
  return few;
}

/** Returns a value as a string, whatever it is. */
export function printed(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : undefined) ?? String(value);
  } catch {
    return 'a value that cannot be printed';
  }
}
