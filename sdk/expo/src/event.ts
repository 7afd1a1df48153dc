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

const textLimits = { name: 128, message: 2000, errorName: 128, stackTrace: 16_000, componentStack: 8000 } as const;
const maxTags = 32;
const maxTagValue = 256;

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
    return [[field, field === 'tags' ? bounded(value as Record<string, unknown>) : value]];
  });
  return Object.fromEntries(entries) as unknown as HealthEvent;
}

/** What two occurrences of the same event have in common. */
export function sameness(event: HealthEvent): string {
  return JSON.stringify({ ...event, count: 0 });
}

function bounded(tags: Record<string, unknown>): Record<string, string> {
  const few = Object.entries(tags).slice(0, maxTags);
  return Object.fromEntries(few.map(([name, value]) => [name, String(value).slice(0, maxTagValue)]));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function printed(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return 'a value that cannot be printed';
  }
}
