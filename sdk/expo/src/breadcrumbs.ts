import { bounded, printed } from './text';

/** An action or a change in the app before an error. */
export interface Breadcrumb {
  /** By the device's clock, as in ISO 8601. */
  timestamp: string;
  /** `debug`, `info`, `warning` or `error`. */
  level: string;
  /** The kind of the action, such as `navigation`, at most 64 characters. */
  category?: string;
  /** A description, at most 512 characters. */
  message?: string;
  /** At most 16 values of at most 256 characters. */
  data?: Record<string, string>;
}

const levels: unknown[] = ['debug', 'info', 'warning', 'error'];
const most = 50;
/** The maximum size of all breadcrumbs of an event, in characters of JSON. */
const mostCharacters = 16_000;

/** Returns the breadcrumb cut to the limits, or undefined if the value is not a breadcrumb. */
export function cleanBreadcrumb(given: unknown): Breadcrumb | undefined {
  const { timestamp, level, category, message, data } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  if (category === undefined && message === undefined) {
    return undefined;
  }
  return {
    timestamp: typeof timestamp === 'string' ? timestamp.slice(0, 64) : new Date().toISOString(),
    level: levels.includes(level) ? (level as string) : 'info',
    ...(category === undefined ? {} : { category: printed(category).slice(0, 64) }),
    ...(message === undefined ? {} : { message: printed(message).slice(0, 512) }),
    ...(typeof data === 'object' && data !== null ? { data: bounded(data as Record<string, unknown>, { entries: 16, text: 256 }) } : {}),
  };
}

/** Returns the last breadcrumbs that fit into an event, cut to the limits. */
export function cleanBreadcrumbs(given: unknown[]): Breadcrumb[] {
  const kept: Breadcrumb[] = [];
  let characters = 0;
  for (const breadcrumb of given.slice(-most).reverse().map(cleanBreadcrumb)) {
    if (breadcrumb) {
      characters += JSON.stringify(breadcrumb).length;
      if (characters > mostCharacters) {
        break;
      }
      kept.unshift(breadcrumb);
    }
  }
  return kept;
}
