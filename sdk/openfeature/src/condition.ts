import { type Attribute, type Context, type Scalar, attribute, attributeOf } from './context.js';
import type { ConditionDefinition } from './definitions.js';
import { compare, compareVersions, parseNumber, parseTime, parseVersion } from './scalar.js';

/** Returns true if a scalar fits the values of a condition. */
type Fits = (scalar: Scalar) => boolean;

/** Returns true if a condition holds for a context. */
export type Condition = (c: Context) => boolean;

/** Compiles a condition. A value that cannot be parsed never matches. */
export function compileCondition(d: ConditionDefinition): Condition {
  const fits = comparison(d.operator, d.values);
  return (c) => holds(d.operator, fits, attribute(c, d.attribute));
}

/** Compiles a list of conditions: all or any must hold, by match. An empty list never holds. */
export function compileConditions(definitions: ConditionDefinition[], match: 'any' | 'all'): Condition {
  const conditions = definitions.map(compileCondition);
  if (match === 'any') return (c) => conditions.some((holds) => holds(c));
  return (c) => conditions.length > 0 && conditions.every((holds) => holds(c));
}

/**
 * Returns true if a condition holds for its attribute. For a missing attribute only not_exists holds; even negated
 * operators do not. For an array, the condition holds if it holds for any element.
 */
function holds(operator: string, fits: Fits, a: Attribute): boolean {
  if (a === undefined) return operator === 'not_exists';
  if (operator === 'exists') return true;
  if (a === 'object') return false;
  if ('scalar' in a) return fits(a.scalar);
  return a.list.some((value) => {
    const element = attributeOf(value);
    return typeof element === 'object' && 'scalar' in element && fits(element.scalar);
  });
}

function comparison(operator: string, values: string[]): Fits {
  switch (operator) {
    case 'eq':
    case 'in':
      return member(values);
    case 'neq':
    case 'not_in':
      return not(member(values));
    case 'contains':
      return text(values, (s, v) => s.includes(v));
    case 'not_contains':
      return not(text(values, (s, v) => s.includes(v)));
    case 'starts_with':
      return text(values, (s, v) => s.startsWith(v));
    case 'ends_with':
      return text(values, (s, v) => s.endsWith(v));
    case 'matches':
      return text(parsed(values, parsePattern), (s, pattern) => isShort(s) && pattern.test(s));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(operator, values, parseNumber, (a, b) => a - b);
    case 'before':
      return ordered('lt', values, parseTime, compare);
    case 'after':
      return ordered('gt', values, parseTime, compare);
    case 'semver_neq': {
      const equal = versions('eq', values);
      return (scalar) => parseVersion(String(scalar)) !== undefined && !equal(scalar);
    }
    default:
      return operator.startsWith('semver_') ? versions(operator.slice('semver_'.length), values) : () => false;
  }
}

function not(fits: Fits): Fits {
  return (scalar) => !fits(scalar);
}

/** Returns the parsed strings, without the strings that cannot be parsed. */
function parsed<T>(texts: string[], parse: (text: string) => T | undefined): T[] {
  return texts.map(parse).filter((value) => value !== undefined);
}

/** Compares numbers by value, and other scalars as strings. */
function member(values: string[]): Fits {
  const all = new Set<Scalar>([...values, ...parsed(values, parseNumber)]);
  return (scalar) => all.has(scalar);
}

function text<T>(values: T[], fits: (text: string, value: T) => boolean): Fits {
  return (scalar) => values.some((value) => fits(String(scalar), value));
}

/** Maximum length in UTF-8 bytes of a string for patterns. A longer string never matches, as on the server. */
const maxMatchedBytes = 1024;

function isShort(text: string): boolean {
  if (text.length > maxMatchedBytes) return false;
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes <= maxMatchedBytes;
}

function parsePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Compares parsed values. A string that cannot be parsed never fits. */
function ordered<T>(operator: string, values: string[], parse: (text: string) => T | undefined, order: (a: T, b: T) => number): Fits {
  const bounds = parsed(values, parse);
  return (scalar) => {
    const actual = parse(String(scalar));
    return actual !== undefined && bounds.some((bound) => fitsOrder(operator, order(actual, bound)));
  };
}

function versions(operator: string, values: string[]): Fits {
  return ordered(operator, values, parseVersion, compareVersions);
}

/** Returns true if the order of an attribute and a value fits an operator. */
export function fitsOrder(operator: string, order: number): boolean {
  switch (operator) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    default:
      return operator === 'eq' && order === 0;
  }
}
