/** What happened. */
export type HealthEventType = 'app_launch' | 'js_error' | 'crash' | 'custom';

/** One event of a health report, as the server's API has it. */
export interface HealthEvent {
  /** What happened. */
  type: HealthEventType;
  /** Of a custom event. */
  name?: string;
  /** What an error says, at most 2000 characters. */
  message?: string;
  /** The error's class, such as `TypeError`. */
  errorName?: string;
  /** Where the error was thrown, at most 16000 characters. */
  stackTrace?: string;
  /** The React components around the error, at most 8000 characters. */
  componentStack?: string;
  /** The app could not go on. */
  isFatal?: boolean;
  /** How often it occurred. */
  count: number;
  /** At most 32, with values of at most 256 characters. */
  tags?: Record<string, string>;
  /** Values of the flags that the app had read by then. */
  flagStates?: Record<string, string>;
}

/** What captureException may be told of an error. */
export interface ErrorDetails {
  /** The app cannot go on: reported as `crash`, else as `js_error`. */
  isFatal?: boolean;
  /** At most 32, with values of at most 256 characters. */
  tags?: Record<string, string>;
  /** The React components around the error. */
  componentStack?: string;
}

/** The largest count of an event that the server takes. */
export const mostCount = 1_000_000;

const textLimits = { name: 128, message: 2000, errorName: 128, stackTrace: 16_000, componentStack: 8000 } as const;
const mapLimits = {
  tags: { entries: 32, text: 256 },
  flagStates: { entries: 256, text: 512 },
} as const;

/** The event of a thrown value, which may be anything. */
export function errorEvent(error: unknown, details: ErrorDetails): HealthEvent {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Partial<Error>;
  return compact({
    type: details.isFatal ? 'crash' : 'js_error',
    errorName: text(thrown.name) ?? 'Error',
    message: text(thrown.message) ?? printed(error),
    stackTrace: text(thrown.stack),
    componentStack: details.componentStack,
    isFatal: details.isFatal ?? false,
    tags: details.tags,
    count: 1,
  });
}

/** The event within the limits of size, without the fields that are undefined. */
export function compact(event: { [K in keyof HealthEvent]: HealthEvent[K] | undefined }): HealthEvent {
  const entries = Object.entries(event).flatMap(([field, value]): [string, unknown][] => {
    if (value === undefined) {
      return [];
    }
    const limit = (textLimits as Record<string, number>)[field];
    if (limit !== undefined) {
      return [[field, (value as string).slice(0, limit)]];
    }
    const map = (mapLimits as Record<string, MapLimit>)[field];
    return [[field, map ? bounded(value as Record<string, unknown>, map) : value]];
  });
  return Object.fromEntries(entries) as unknown as HealthEvent;
}

const types: readonly string[] = ['app_launch', 'js_error', 'crash', 'custom'] satisfies HealthEventType[];
const texts = Object.keys(textLimits) as (keyof typeof textLimits)[];

/** Whether the server takes it: of a report with one bad event it takes none. Hooks of the app in JavaScript may make anything. */
export function isEvent(event: HealthEvent): boolean {
  return (
    types.includes(event.type) && Number.isInteger(event.count) && event.count >= 1 && event.count <= mostCount &&
    texts.every((field) => ['string', 'undefined'].includes(typeof event[field])) &&
    ['boolean', 'undefined'].includes(typeof event.isFatal) &&
    [event.tags, event.flagStates].every((map) => map === undefined || (typeof map === 'object' && (map as unknown) !== null))
  );
}

/** What two occurrences of the same event have in common. */
export function sameness(event: HealthEvent): string {
  return JSON.stringify({ ...event, count: 0 });
}

interface MapLimit {
  entries: number;
  /** Of each name and value. */
  text: number;
}

function bounded(map: Record<string, unknown>, { entries, text }: MapLimit): Record<string, string> {
  const few = Object.entries(map).slice(0, entries);
  return Object.fromEntries(few.map(([name, value]) => [name.slice(0, text), printed(value).slice(0, text)]));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function printed(value: unknown): string {
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : undefined) ?? String(value);
  } catch {
    return 'a value that cannot be printed';
  }
}
