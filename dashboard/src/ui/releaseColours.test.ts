import { expect, test } from "vitest";
import { releaseColours } from "./releaseColours";

test("the colour of a release does not depend on its rank or on newer releases", () => {
  const before = releaseColours([106, 20, 57]);
  const after = releaseColours([57, 301, 106, 20, 299]);
  for (const id of [106, 20, 57]) expect(after.get(id)).toBe(before.get(id));
  expect(releaseColours([106]).get(106)).toBe(releaseColours([106, 900]).get(106));
});

test("up to twelve releases have different colours", () => {
  const ids = Array.from({ length: 12 }, (_, index) => 100 + 7 * index);
  expect(new Set(releaseColours(ids).values()).size).toBe(12);
  expect(releaseColours([...ids, 999]).size).toBe(13);
});
