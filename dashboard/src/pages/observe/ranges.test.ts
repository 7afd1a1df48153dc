import { expect, test } from "vitest";
import { beginOf } from "./ranges";

test("a window begins on a full minute", () => {
  const now = Date.parse("2026-11-23T13:10:42.500Z");
  expect(beginOf("1h", now)).toBe("2026-11-23T12:10:00.000Z");
  expect(beginOf("30d", now)).toBe("2026-10-24T13:10:00.000Z");
});
