/** Returns the entries of a list whose keys the other list does not have. */
export function onlyIn<T>(list: T[], other: T[], keyOf: (entry: T) => string): T[] {
  const keys = new Set(other.map(keyOf));
  return list.filter((entry) => !keys.has(keyOf(entry)));
}
