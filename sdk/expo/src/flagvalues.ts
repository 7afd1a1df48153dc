import { ErrorCode, StandardResolutionReasons, type ResolutionDetails } from '@openfeature/web-sdk';

/** A flag as the server evaluated it for this device. */
export interface FlagValue {
  value: unknown;
  variant?: string;
  reason: string;
}

/** Flags by key. */
export type FlagValues = Record<string, FlagValue>;

/** A change sent by the server. */
export type FlagChange =
  | { event: 'put'; flags: FlagValues }
  | { event: 'patch'; key: string; flag: FlagValue }
  | { event: 'delete'; key: string };

/** Returns the values after a change. */
export function changed(values: FlagValues, change: FlagChange): FlagValues {
  switch (change.event) {
    case 'put':
      return change.flags;
    case 'patch':
      return { ...values, [change.key]: change.flag };
    case 'delete':
      return Object.fromEntries(Object.entries(values).filter(([key]) => key !== change.key));
  }
}

/** Returns the keys of flags whose value or variant has changed. */
export function differing(before: FlagValues, after: FlagValues): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => seen(before[key]) !== seen(after[key]));
}

/** Returns the value of a flag for OpenFeature, or the default and an error if the flag is missing or does not fit. */
export function resolution<T>(
  values: FlagValues | undefined, key: string, byDefault: T, fits: (value: unknown) => boolean,
): ResolutionDetails<T> {
  const failed = { value: byDefault, reason: StandardResolutionReasons.ERROR };
  if (!values) {
    return { ...failed, errorCode: ErrorCode.PROVIDER_NOT_READY, errorMessage: 'the server has not sent the flags of this context yet' };
  }
  const flag = Object.hasOwn(values, key) ? values[key] : undefined;
  if (!flag) {
    return { ...failed, errorCode: ErrorCode.FLAG_NOT_FOUND, errorMessage: `the flag "${key}" does not exist` };
  }
  if (!fits(flag.value)) {
    return { ...failed, errorCode: ErrorCode.TYPE_MISMATCH, errorMessage: `the flag "${key}" is of type ${typeof flag.value}; read it as one` };
  }
  return { value: flag.value as T, reason: flag.reason, ...(flag.variant === undefined ? {} : { variant: flag.variant }) };
}

/** Returns the value as a string for telemetry, at most 512 characters. */
export function valueText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 512);
}

/** Returns true if data from the storage or the network contains flags. */
export function areFlags(value: unknown): value is FlagValues {
  return isObject(value) && !Array.isArray(value) && Object.values(value).every(isFlag);
}

/** Returns true if data from the event stream is a change. Unknown events, which a later server may send, are not changes. */
export function isChange(value: unknown): value is FlagChange {
  if (!isObject(value)) {
    return false;
  }
  const { event, flags, key, flag } = value as Record<string, unknown>;
  return event === 'put' ? areFlags(flags) : typeof key === 'string' && (event === 'delete' || (event === 'patch' && isFlag(flag)));
}

function isFlag(value: unknown): value is FlagValue {
  return isObject(value) && 'value' in value && typeof (value as FlagValue).reason === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function seen(flag: FlagValue | undefined): string {
  return JSON.stringify([flag?.value, flag?.variant]);
}
