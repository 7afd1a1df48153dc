/** A flag as the server evaluated it for this device. */
export interface FlagValue {
  value: unknown;
  variant?: string;
  reason: string;
}

/** Flags by key. */
export type FlagValues = Record<string, FlagValue>;

/** A change that the server sends. */
export type FlagChange =
  | { event: 'put'; flags: FlagValues }
  | { event: 'patch'; key: string; flag: FlagValue }
  | { event: 'delete'; key: string };

/** The values after a change. */
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

/** The keys of flags that an app sees a difference in. */
export function differing(before: FlagValues, after: FlagValues): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => seen(before[key]) !== seen(after[key]));
}

/** The value as text, as telemetry has it. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function seen(flag: FlagValue | undefined): string {
  return JSON.stringify([flag?.value, flag?.variant]);
}
