import { strings } from "@/strings";
import { preferences } from "./preferences";

type Maybe<T> = T | null | undefined;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

/** Formats a count, such as 12,345. Returns — if it is unknown. */
export function count(value: Maybe<number>): string {
  return value == null ? strings.unknown : whole.format(value);
}

/** Returns a formatted count with its noun: 1 device, 12 devices. */
export function plural(number: string, noun: string): string {
  return `${number} ${number === "1" ? noun : `${noun}s`}`;
}

/** Formats a number next to an axis, such as 10K. Everywhere else a count has all its digits, so that two pages show the same. */
export function tick(value: number): string {
  return short.format(value);
}

/**
 * The maximum number of decimals of a percentage. A rate is a percentage of devices with a crash or an error, or without; settings such
 * as a rollout percentage are shown like one. A share is a part of a whole, such as the devices on a release. A glance is a share on a
 * page with many of them. The same quantity has the same kind everywhere on a page.
 */
const decimals = { rate: 2, share: 1, glance: 0 };
export type PercentKind = keyof typeof decimals;

/** Formats a percentage of the API (0–100): 99.75%. Only 0 and 100 are shown as such: 99.999 is >99.99%, and 0.4 at a glance <1%. */
export function percent(value: Maybe<number>, kind: PercentKind = "rate"): string {
  if (value == null) return strings.unknown;
  const digits = decimals[kind];
  const step = 10 ** -digits;
  const shown = (number: number) => `${new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(number)}%`;
  if (value > 0 && value < step / 2) return `<${shown(step)}`;
  if (value < 100 && value >= 100 - step / 2) return `>${shown(100 - step)}`;
  return shown(value);
}

/** Formats any other number with at most three decimals. */
export function number(value: Maybe<number>): string {
  return value == null ? strings.unknown : decimal.format(value);
}

/** Formats bytes in powers of 1024: 1.5 MiB. */
export function bytes(value: Maybe<number>): string {
  if (value == null) return strings.unknown;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Formats a duration in milliseconds: 45 s, 12 min, 3 h 20 min, 4 d. */
export function duration(milliseconds: Maybe<number>): string {
  if (milliseconds == null) return strings.unknown;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} d`;
}

function zone(): string | undefined {
  return preferences().zone === "utc" ? "UTC" : undefined;
}

/** Formats date and time in the chosen zone: 23 Nov 2026, 14:05:09. Appends UTC if that is the zone. */
export function dateTime(value: Maybe<string | number | Date>, seconds = true): string {
  if (value == null) return strings.unknown;
  const text = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: seconds ? "2-digit" : undefined,
    timeZone: zone(),
  }).format(new Date(value));
  return zone() ? `${text} UTC` : text;
}

/** Formats the time of day in the chosen zone: 14:05. */
export function timeOfDay(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone() }).format(new Date(value));
}

/** Formats the time of day with seconds: 14:05:09. */
export function timeWithSeconds(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: zone() }).format(new Date(value));
}

/** Formats the day: 23 Nov 2026. */
export function date(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: zone() }).format(new Date(value));
}

/** Formats the day in UTC, whatever zone is chosen: 23 Nov 2026. */
export function dayOf(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(value));
}

/** Returns a message of the server with a capital first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** Formats the time until now or from now: 5 min. ago, in 2 hr. */
export function ago(value: Maybe<string | number | Date>, now = Date.now()): string {
  if (value == null) return strings.unknown;
  const seconds = Math.round((new Date(value).getTime() - now) / 1000);
  if (Math.abs(seconds) < 5) return strings.relative.now;
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  // Future times are rounded, so that almost three days do not become two. Past times count only full units.
  return relative.format(seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length), unit);
}
