import { strings } from "@/strings";
import { preferences } from "./preferences";

type Maybe<T> = T | null | undefined;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

/** A count, such as 12,345; — when unknown. */
export function count(value: Maybe<number>): string {
  return value == null ? strings.unknown : whole.format(value);
}

/** A rendered count with its noun: 1 device, 12 devices. */
export function plural(number: string, noun: string): string {
  return `${number} ${number === "1" ? noun : `${noun}s`}`;
}

/** A count for small places, such as 12.3K. */
export function compact(value: Maybe<number>): string {
  return value == null ? strings.unknown : short.format(value);
}

/** Percent as the API has it (0–100), with the given digits at most: 99.75%. */
export function percent(value: Maybe<number>, digits = 2): string {
  if (value == null) return strings.unknown;
  return `${new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(value)}%`;
}

/** Any other number, with three decimals at most. */
export function number(value: Maybe<number>): string {
  return value == null ? strings.unknown : decimal.format(value);
}

/** Bytes in powers of 1024: 1.5 MiB. */
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

/** A length of time in milliseconds: 45 s, 12 min, 3 h 20 min, 4 d. */
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

/** Date and time in the chosen zone: 23 Nov 2026, 14:05:09. UTC is named. */
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

/** The time of day in the chosen zone: 14:05. */
export function timeOfDay(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone() }).format(new Date(value));
}

/** The time of day with seconds: 14:05:09. */
export function timeWithSeconds(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: zone() }).format(new Date(value));
}

/** The day: 23 Nov 2026. */
export function date(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: zone() }).format(new Date(value));
}

/** A day of UTC, whatever zone is chosen: 23 Nov 2026. */
export function dayOf(value: Maybe<string | number | Date>): string {
  if (value == null) return strings.unknown;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(value));
}

/** What the server says, with a capital letter at its beginning, and with percentages and times as they stand elsewhere on the page. */
export function sentence(text: string): string {
  return (text.charAt(0).toUpperCase() + text.slice(1))
    .replace(/(\d) %/g, "$1%")
    .replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g, (_all, day: string, time: string) => dateTime(`${day}T${time}Z`));
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** How long ago or from now: 5 min. ago, in 2 hr. */
export function ago(value: Maybe<string | number | Date>, now = Date.now()): string {
  if (value == null) return strings.unknown;
  const seconds = Math.round((new Date(value).getTime() - now) / 1000);
  if (Math.abs(seconds) < 5) return strings.relative.now;
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  // What is to come is rounded, so that three days from now are not two; what is past has to be over.
  return relative.format(seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length), unit);
}
