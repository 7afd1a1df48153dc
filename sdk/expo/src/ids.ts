import { Stored, type KeyValueStorage } from './storage';

/** Returns the given device ID, or otherwise an ID that is generated once and stored. */
export async function deviceOf(named: string | undefined, storage: KeyValueStorage): Promise<string> {
  if (named) {
    return named;
  }
  const stored = new Stored<string>(storage, 'waft/device');
  // If the storage responds too late, its ID replaces the new one again for the next start.
  const known = await stored.read((late) => void stored.write(late));
  if (typeof known === 'string') {
    return known;
  }
  const made = randomId();
  await stored.write(made);
  return made;
}

/** Returns a random UUID, version 4. Hermes has no secure random source, but these IDs need not be secret. */
export function randomId(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16));
  digits[12] = 4;
  digits[16] = 8 | ((digits[16] ?? 0) & 3);
  const hex = digits.map((d) => d.toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
