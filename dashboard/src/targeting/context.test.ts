import { expect, it } from "vitest";
import { attributesOf, contextOf } from "./context";

it("leaves out what is empty", () => {
  expect(contextOf({ targetingKey: " ada ", channel: "", attributes: "" })).toEqual({ targetingKey: "ada" });
  expect(contextOf({ targetingKey: "ada", attributes: '{"age": 36}' })).toEqual({ targetingKey: "ada", attributes: { age: 36 } });
});

it("takes only objects as attributes", () => {
  for (const text of ["[]", "1", "null", "{", "\"a\""]) expect(attributesOf(text)).toBeNull();
});
