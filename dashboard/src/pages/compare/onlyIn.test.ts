import { expect, test } from "vitest";
import { onlyIn } from "./onlyIn";

test("entries are compared by their keys, and keep their order", () => {
  const of = (keys: string) => [...keys].map((key) => ({ key }));
  expect(onlyIn(of("cab"), of("xbx"), ({ key }) => key)).toEqual(of("ca"));
  expect(onlyIn(of("ab"), [], ({ key }) => key)).toEqual(of("ab"));
  expect(onlyIn([], of("ab"), ({ key }) => key)).toEqual([]);
});
