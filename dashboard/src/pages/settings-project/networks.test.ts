import { expect, test } from "vitest";
import { networksOf } from "./networks";

test("networks are separated by lines or commas", () => {
  expect(networksOf(" 203.0.113.0/24\n2001:db8::/48, 198.51.100.7/32\n\n")).toEqual(["203.0.113.0/24", "2001:db8::/48", "198.51.100.7/32"]);
  expect(networksOf(" \n")).toEqual([]);
});
