import type { UpdateDefinition } from './definitions.js';

/** The context that a flag is evaluated for. An empty string is an unknown value. */
export interface Context {
  targetingKey: string;
  deviceId: string;
  channel: string;
  platform: string;
  runtimeVersion: string;
  /** The update ID that the device reports for the running release, in lower case. */
  updateUuid: string;
  /** The running release, if the definitions contain it. */
  update: UpdateDefinition | undefined;
  /** The application's attributes, which are JSON. */
  attributes: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  now: number;
}

/** Returns the running release's own update ID rather than an alias, or '' if it is unknown. */
export function ownUpdate(c: Context): string {
  return c.update?.aliasOf ?? c.updateUuid;
}

/** Returns how many days ago the running release was created. */
export function updateAge(c: Context): number | undefined {
  if (!c.update) return undefined;
  const age = c.now - Date.parse(c.update.createdAt);
  const hour = 3_600_000;
  return (Math.trunc(age / hour) + (age % hour) / hour) / 24;
}

/** A scalar that operators compare. A boolean is compared as a string. */
export type Scalar = string | number;

/** An attribute as operators see it. A missing attribute is undefined. For 'object', only the operator exists holds. */
export type Attribute = undefined | { scalar: Scalar } | { list: readonly unknown[] } | 'object';

/** Returns an attribute's value for operators. Null and values that JSON cannot represent count as missing. */
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

/** Returns an attribute of a context by its name. Built-in attributes take precedence over the application's. */
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

/** Returns a scalar as a string. Numbers are formatted as in ECMAScript. */
export function textOf(a: Attribute): string | undefined {
  return typeof a === 'object' && 'scalar' in a ? String(a.scalar) : undefined;
}
