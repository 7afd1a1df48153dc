// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { fromInput, toInput, zoneName } from "./inputTime";
import { setPreferences } from "./preferences";

afterEach(() => setPreferences({ zone: "local" }));

it("reads and writes a time in UTC when the page is set to it", () => {
  setPreferences({ zone: "utc" });
  expect(zoneName()).toBe("UTC");
  expect(fromInput("2026-11-23T14:05")).toBe("2026-11-23T14:05:00.000Z");
  expect(toInput("2026-11-23T14:05:30Z")).toBe("2026-11-23T14:05");
});

it("otherwise reads and writes a time in the browser's zone", () => {
  expect(zoneName()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(fromInput("2026-11-23T14:05")).toBe(new Date(2026, 10, 23, 14, 5).toISOString());
  expect(toInput(new Date(2026, 10, 23, 14, 5).toISOString())).toBe("2026-11-23T14:05");
});

it("keeps a year that is still being typed, and an empty value", () => {
  for (const zone of ["utc", "local"] as const) {
    setPreferences({ zone });
    expect(toInput(fromInput("0020-11-23T14:05"))).toBe("0020-11-23T14:05");
    expect(fromInput("")).toBe("");
    expect(toInput("")).toBe("");
  }
});
