import { cleanBreadcrumbs, type Breadcrumb } from './breadcrumbs';
import { bounded, printed, type MapLimit } from './text';

/** The type of an event. */
export type HealthEventType = 'app_launch' | 'js_error' | 'crash' | 'custom';

/** An event of a health report, as in the server's API. */
export interface HealthEvent {
  /** The type of the event. */
  type: HealthEventType;
  /** The name of a custom event, at most 128 characters. */
  name?: string;
  /** An error's message, at most 2000 characters. */
  message?: string;
  /** The error's class, such as `TypeError`, at most 128 characters. */
  errorName?: string;
  /** Where the error was thrown, at most 16000 characters. */
  stackTrace?: string;
  /** The React components around the error, at most 8000 characters. */
  componentStack?: string;
  /** True if the app could not continue. */
  isFatal?: boolean;
  /** How often the event occurred, from 1 to 1,000,000. */
  count: number;
  /** At most 32 tags, with values of at most 256 characters. */
  tags?: Record<string, string>;
  /** The values of at most 256 flags that the app had read by then, of at most 512 characters. */
  flagStates?: Record<string, string>;
  /** At most 50 breadcrumbs of an error, the oldest first. */
  breadcrumbs?: Breadcrumb[];
}

/** Details about an error for captureException. */
export interface ErrorDetails {
  /**
   * True if the app cannot continue. Reports the error as `crash` instead of `js_error`.
   *
   * @defaultValue `false`
   */
  isFatal?: boolean | undefined;
  /**
   * At most 32 tags, with values of at most 256 characters.
   *
   * @defaultValue no tags
   */
  tags?: Record<string, string> | null | undefined;
  /**
   * The React components around the error, as React gives them to a boundary, at most 8000 characters.
   *
   * @defaultValue none
   */
  componentStack?: string | null | undefined;
}

/** The maximum count of an event that the server accepts. */
export const mostCount = 1_000_000;

const textLimits = { name: 128, message: 2000, errorName: 128, stackTrace: 16_000, componentStack: 8000 } as const;
/** The limit of an event's tags. */
export const tagLimit: MapLimit = { entries: 32, text: 256 };
const mapLimits = {
  tags: tagLimit,
  flagStates: { entries: 256, text: 512 },
} as const;

/** Returns the event for a thrown value, which may be anything. The details may be anything too, because the app may be JavaScript. */
export function errorEvent(error: unknown, details: ErrorDetails): HealthEvent {
  const isFatal = Boolean(details.isFatal);
  return compact({
    type: isFatal ? 'crash' : 'js_error',
    errorName: textIn(error, 'name') ?? 'Error',
    message: textIn(error, 'message') ?? printed(error),
    stackTrace: textIn(error, 'stack'),
    componentStack: textIn(details, 'componentStack'),
    isFatal,
    tags: details.tags,
    count: 1,
  });
}

/** Returns the event cut to the size limits, without fields that are undefined or null. */
export function compact(event: { [K in keyof HealthEvent]: HealthEvent[K] | null | undefined }): HealthEvent {
  const cut: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(event)) {
    if (value !== undefined && value !== null) {
      const limit = (textLimits as Record<string, number>)[field];
      const map = (mapLimits as Record<string, MapLimit>)[field];
      cut[field] = limit
        ? printed(value).slice(0, limit)
        : map
          ? bounded(value as Record<string, unknown>, map)
          : field === 'breadcrumbs'
            ? cleanBreadcrumbs(value as unknown[])
            : value;
    }
  }
  return cut as unknown as HealthEvent;
}

const types: readonly string[] = ['app_launch', 'js_error', 'crash', 'custom'] satisfies HealthEventType[];
const texts = Object.keys(textLimits) as (keyof typeof textLimits)[];

/**
 * Returns true if the server accepts the event. The server rejects a whole report for one bad event, and the app's hooks may return
 * anything.
 */
export function isEvent(event: HealthEvent): boolean {
  return (
    types.includes(event.type) && Number.isInteger(event.count) && event.count >= 1 && event.count <= mostCount &&
    texts.every((field) => ['string', 'undefined'].includes(typeof event[field])) &&
    ['boolean', 'undefined'].includes(typeof event.isFatal) &&
    [event.tags, event.flagStates].every((map) => map === undefined || (typeof map === 'object' && (map as unknown) !== null)) &&
    (event.breadcrumbs === undefined || Array.isArray(event.breadcrumbs))
  );
}

/** The name of the custom event whose count is the number of dropped events. */
export const droppedName = 'waft_dropped';
/** The name of the custom event for a session that ended without a notice. */
export const abnormalExitName = 'abnormal_exit';

/** The levels of importance, from the events that are dropped first to the events that are dropped last. */
export const levels = [0, 1, 2, 3] as const;

/** Returns how important an event is: an event of the app 0, an error 1, a launch 2, a crash 3. */
export function importance(event: HealthEvent): number {
  switch (event.type) {
    case 'crash':
      return 3;
    case 'app_launch':
      return 2;
    case 'js_error':
      return 1;
    case 'custom':
      return event.name === droppedName ? 2 : event.name === abnormalExitName ? 1 : 0;
  }
}

/** Returns a key that is equal for two equal events, even with other breadcrumbs. */
export function sameness(event: HealthEvent): string {
  return JSON.stringify(event.breadcrumbs ? { ...event, breadcrumbs: undefined } : event);
}

/** Returns the size of an event with this key, in characters of JSON. */
export function sizeOf(event: HealthEvent, key: string): number {
  return key.length + (event.breadcrumbs ? JSON.stringify(event.breadcrumbs).length : 0);
}

/** Returns a property of a value if it is a text that is not empty. Reading it may fail, for example in a proxy. */
function textIn(value: unknown, name: string): string | undefined {
  try {
    const found = (value as Record<string, unknown> | null | undefined)?.[name];
    return typeof found === 'string' && found !== '' && typeof value === 'object' ? found : undefined;
  } catch {
    return undefined;
  }
}
