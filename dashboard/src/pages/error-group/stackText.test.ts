import { expect, test } from "vitest";
import { placeOf, stackText } from "./stackText";

const frame = { file: "src/Basket.tsx", line: 12, column: 7, function: "render", context: [], contextLine: 0, inApp: true, symbolicated: true };

test("a place omits unknown parts", () => {
  expect(placeOf(frame)).toBe("src/Basket.tsx:12:7");
  expect(placeOf({ ...frame, column: 0 })).toBe("src/Basket.tsx:12");
  expect(placeOf({ ...frame, line: 0 })).toBe("src/Basket.tsx");
  expect(placeOf({ ...frame, file: "" })).toBe("");
});

test("a stack reads as an engine prints it", () => {
  const frames = [frame, { ...frame, function: "" }, { ...frame, file: "" }, { ...frame, file: "", function: "" }];
  expect(stackText("TypeError: x", frames)).toBe(
    "TypeError: x\n    at render (src/Basket.tsx:12:7)\n    at src/Basket.tsx:12:7\n    at render\n    at ?",
  );
});
