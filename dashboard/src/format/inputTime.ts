import { preferences } from "./preferences";

const isUTC = () => preferences().zone === "utc";

/** The zone that times are typed in: UTC, or that of the browser, such as Europe/Berlin. */
export function zoneName(): string {
  return isUTC() ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A time, as RFC 3339, as the control datetime-local has it: in the chosen zone, to the minute. Empty for none. */
export function toInput(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  if (isUTC()) return date.toISOString().slice(0, 16);
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** What the control datetime-local has, read in the chosen zone, as RFC 3339. Empty for none. */
export function fromInput(text: string): string {
  const date = new Date(isUTC() ? `${text}Z` : text);
  return text === "" || Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
