/** The number of buckets. Percentages are exact to 1/1000 of a percent. */
export const buckets = 100_000;

/** Returns the bucket of an ID under a salt, from 0 to buckets-1. */
export function bucket(salt: string, id: string): number {
  // The product has at most 49 bits, so a double represents it exactly.
  return Math.floor((murmur3(new TextEncoder().encode(`${salt}:${id}`)) * buckets) / 2 ** 32);
}

/** Returns the number of buckets for a percentage from 0 to 100. */
export function threshold(percentage: number): number {
  return percentage > 0 ? Math.round(Math.min(percentage, 100) * (buckets / 100)) : 0;
}

const rotate = (n: number, bits: number) => (n << bits) | (n >>> (32 - bits));
const scramble = (n: number) => Math.imul(rotate(Math.imul(n, 0xcc9e2d51), 15), 0x1b873593);

/** Returns MurmurHash3 x86 32-bit with seed 0. */
function murmur3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotate(hash ^ scramble(view.getUint32(at, true)), 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | view.getUint8(at);
  hash ^= scramble(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
