import { preferences } from "./preferences";

const isUTC = () => preferences().zone === "utc";

/** Returns the zone in which times are entered: UTC, or the browser's zone, such as Europe/Berlin. */
export function zoneName(): string {
  return isUTC() ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Converts an RFC 3339 time to the value of a datetime-local input: in the chosen zone, to the minute. Returns "" for "". */
export function toInput(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  if (isUTC()) return date.toISOString().slice(0, 16);
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Converts the value of a datetime-local input in the chosen zone to RFC 3339. Returns "" for "". */
export function fromInput(text: string): string {
  const date = new Date(isUTC() ? `${text}Z` : text);
  return text === "" || Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
