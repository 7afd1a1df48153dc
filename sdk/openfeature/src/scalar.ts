// Parses strings as numbers, times and versions in the same way as the server.

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Parses a JSON number that fits in double precision. */
export function parseNumber(text: string): number | undefined {
  const n = number.test(text) ? Number(text) : NaN;
  return Number.isFinite(n) ? n : undefined;
}

/** Numbers that are compared one after the other. */
type Ordered = readonly (number | bigint)[];

/** Returns the order of a and b, from -1 to 1. */
export function compare(a: Ordered, b: Ordered): number {
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Parses an RFC 3339 time as seconds since 1970 and nanoseconds. */
export function parseTime(text: string): Ordered | undefined {
  const [, local = '', fraction = '', sign = '', hours = 0, minutes = 0] = time.exec(text) ?? [];
  const at = new Date(`${local}Z`);
  // Date accepts some days and hours that do not exist.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(local)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  return [at.getTime() / 1000 - offset, Number(fraction.slice(0, 9).padEnd(9, '0'))];
}

/** A semantic version. */
export interface Version {
  parts: readonly bigint[];
  /** The identifiers of a pre-release. Empty for a release. */
  prerelease: readonly string[];
}

const version = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;
const longestVersion = 256;

/** Parses an unsigned number of at most 64 bits. */
function parseUnsigned(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const n = BigInt(text);
  return n < 1n << 64n ? n : undefined;
}

/** Parses a version. Missing parts are 0. Build metadata is ignored. */
export function parseVersion(text: string): Version | undefined {
  const [matched, ...found] = version.exec(text) ?? [];
  if (matched === undefined || text.length > longestVersion) return undefined;
  const parts = [0, 1, 2].map((i) => parseUnsigned(found[i] ?? '0'));
  const prerelease = found[3]?.split('.') ?? [];
  if (parts.includes(undefined) || prerelease.some((id) => /^0\d+$/.test(id))) return undefined;
  return { parts: parts as bigint[], prerelease };
}

/** Returns the order of a and b by the rules of semver, from -1 to 1. */
export function compareVersions(a: Version, b: Version): number {
  const order = compare(a.parts, b.parts);
  if (order !== 0) return order;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length); // a release comes after its pre-releases
  }
  for (let i = 0; i < Math.max(a.prerelease.length, b.prerelease.length); i++) {
    const [x, y] = [a.prerelease[i], b.prerelease[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [m, n] = [parseUnsigned(x), parseUnsigned(y)];
    if (m !== undefined && n !== undefined) return m < n ? -1 : 1;
    if (m !== undefined || n !== undefined) return m !== undefined ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}
