// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { positionSentence } from "./position";

it("says whether a context is in the share", () => {
  expect(positionSentence({ bucket: 81488, threshold: 5000 })).toBe("Not in the 5%: its position is 81.5%.");
  expect(positionSentence({ bucket: 4999, threshold: 5000 })).toBe("In the first 5%: its position is 4.999%.");
  expect(positionSentence({ bucket: 120 })).toBe("Its position is 0.1%.");
});
