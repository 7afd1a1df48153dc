// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { evidenceText } from "./curve";

it("shows evidence with the digits that a person needs", () => {
  expect([56.414, 19.96, 1.2345, 0.04567, 0, 999.4, 1234.5, null].map(evidenceText)).toEqual(["56.4", "19.9", "1.23", "0.0456", "0", "999", "over 1,000", "—"]);
});
