import type { UpdateDefinition } from './definitions.js';

/** Whom a flag is evaluated for. A text that is '' is unknown. */
export interface Context {
  targetingKey: string;
  deviceId: string;
  channel: string;
  platform: string;
  runtimeVersion: string;
  /** The id that the device names for the running release, in lower case. */
  updateUuid: string;
  /** The running release, when the definitions have it. */
  update: UpdateDefinition | undefined;
  /** The attributes of the application, which are JSON. */
  attributes: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  now: number;
}

/** The running release's own id, '' when unknown. */
export function ownUpdate(c: Context): string {
  return c.update?.aliasOf ?? c.updateUuid;
}

/** How many days ago the running release was made. */
export function updateAge(c: Context): number | undefined {
  if (!c.update) return undefined;
  const age = c.now - Date.parse(c.update.createdAt);
  const hour = 3_600_000;
  return (Math.trunc(age / hour) + (age % hour) / hour) / 24;
}

/** A scalar that operators compare; a boolean is its text. */
export type Scalar = string | number;

/** What operators make of an attribute: undefined is a missing one, and for 'object' nothing holds but that it exists. */
export type Attribute = undefined | { scalar: Scalar } | { list: readonly unknown[] } | 'object';

/** Reads a value of an attribute. Null is missing, and so is what JSON cannot have. */
export function attributeOf(value: unknown): Attribute {
  switch (typeof value) {
    case 'string':
      return { scalar: value };
    case 'boolean':
      return { scalar: String(value) };
    case 'number':
      return Number.isFinite(value) ? { scalar: value } : undefined;
    case 'object':
      if (value === null) return undefined;
      if (Array.isArray(value)) return { list: value };
      if (value instanceof Date) return attributeOf(value.toJSON());
      return 'object';
    default:
      return undefined;
  }
}

/** The attribute of a context by its name. What the request says by itself comes before attributes of that name. */
export function attribute(c: Context, name: string): Attribute {
  const known = builtin(c, name);
  if (known !== undefined && known !== '') return { scalar: known };
  return Object.hasOwn(c.attributes, name) ? attributeOf(c.attributes[name]) : undefined;
}

function builtin(c: Context, name: string): Scalar | undefined {
  switch (name) {
    case 'targetingKey':
    case 'deviceId':
    case 'channel':
    case 'platform':
    case 'runtimeVersion':
      return c[name];
    case 'updateUuid':
    case 'ota.update_id':
      return ownUpdate(c);
    case 'ota.branch':
      return c.update?.branch;
    case 'ota.runtime_version':
      return c.update?.runtimeVersion ?? c.runtimeVersion;
    case 'ota.updated_within_days':
      return updateAge(c);
    default:
      return undefined;
  }
}

/** The text of a scalar: of a number as ECMAScript writes it. */
export function textOf(a: Attribute): string | undefined {
  return typeof a === 'object' && 'scalar' in a ? String(a.scalar) : undefined;
}
