/** Returns the stored values with the edits made since `base` on top. Values that were not edited stay as stored. */
export function rebased<T extends object>(base: T, edited: T, stored: T): T {
  const isSame = (name: keyof T) => JSON.stringify(edited[name]) === JSON.stringify(base[name]);
  const names = Object.keys(stored) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, isSame(name) ? stored[name] : edited[name]])) as T;
}
