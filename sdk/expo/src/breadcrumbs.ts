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
/** The maximum number of breadcrumbs of an event. */
export const most = 50;
/** The maximum size of all breadcrumbs of an event, in characters of JSON. */
const mostCharacters = 16_000;

/** Returns the breadcrumb without its time and cut to the limits, or undefined if the value is not a breadcrumb. */
export function cleanBreadcrumb(given: unknown): Omit<Breadcrumb, 'timestamp'> | undefined {
  const { level, category, message, data } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  if (category === undefined && message === undefined) {
    return undefined;
  }
  const breadcrumb: Omit<Breadcrumb, 'timestamp'> = { level: levels.includes(level) ? (level as string) : 'info' };
  if (category !== undefined) {
    breadcrumb.category = printed(category).slice(0, 64);
  }
  if (message !== undefined) {
    breadcrumb.message = printed(message).slice(0, 512);
  }
  if (typeof data === 'object' && data !== null) {
    breadcrumb.data = bounded(data as Record<string, unknown>, { entries: 16, text: 256 });
  }
  return breadcrumb;
}

/** Returns the last breadcrumbs that fit into an event, cut to the limits. Leaves out breadcrumbs without a time. */
export function cleanBreadcrumbs(given: unknown[]): Breadcrumb[] {
  const kept: Breadcrumb[] = [];
  let characters = 0;
  for (const each of given.slice(-most).reverse()) {
    const cleaned = cleanBreadcrumb(each);
    const { timestamp } = (each ?? {}) as { timestamp?: unknown };
    if (cleaned && typeof timestamp === 'string') {
      const breadcrumb = { timestamp: timestamp.slice(0, 64), ...cleaned };
      characters += JSON.stringify(breadcrumb).length;
      if (characters > mostCharacters) {
        break;
      }
      kept.unshift(breadcrumb);
    }
  }
  return kept;
}
