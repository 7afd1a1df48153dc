// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { ago, bytes, count, dateTime, duration, percent } from "./format";
import { setPreferences } from "./preferences";

test("unknown values are a dash, never 0", () => {
  for (const format of [count, percent, bytes, duration, dateTime, ago]) {
    expect(format(null)).toBe("—");
    expect(format(undefined)).toBe("—");
  }
  expect(count(0)).toBe("0");
  expect(percent(0)).toBe("0%");
});

test("numbers, bytes and lengths of time", () => {
  expect(count(1234567)).toBe("1,234,567");
  expect(percent(99.754)).toBe("99.75%");
  expect([percent(25.249, "share"), percent(25.249, "glance")]).toEqual(["25.2%", "25%"]);
  expect(bytes(1536)).toBe("1.5 KiB");
  expect(bytes(200 << 20)).toBe("200 MiB");
  expect(duration(45_000)).toBe("45 s");
  expect(duration(3 * 3_600_000 + 20 * 60_000)).toBe("3 h 20 min");
});

test("a percentage is shown as 0% or 100% only if it is", () => {
  expect([percent(99.996), percent(100), percent(0.004), percent(-0.5)]).toEqual([">99.99%", "100%", "<0.01%", "-0.5%"]);
  expect([percent(99.6, "glance"), percent(0.4, "glance"), percent(99.94, "share")]).toEqual([">99%", "<1%", "99.9%"]);
});

test("times follow the chosen zone, and UTC is appended", () => {
  setPreferences({ zone: "utc" });
  expect(dateTime("2026-11-23T14:05:09Z")).toBe("23 Nov 2026, 14:05:09 UTC");
  setPreferences({ zone: "local" });
  expect(dateTime("2026-11-23T14:05:09Z")).not.toContain("UTC");
});

test("an age is in whole units", () => {
  const now = Date.parse("2026-11-23T14:00:00Z");
  expect(ago("2026-11-23T13:59:58Z", now)).toBe("just now");
  expect(ago("2026-11-23T13:55:00Z", now)).toContain("5");
});
