import { expect, test } from "vitest";
import { nextCursor } from "./cursorPages";

test("the next cursor is read out of the Link header", () => {
  expect(nextCursor('</v1/ota/devices?cursor=A_b-1&limit=2>; rel="next"')).toBe("A_b-1");
  expect(nextCursor('</v1/ota/devices?cursor=A>; rel="prev", </v1/ota/devices?cursor=B>; rel="next"')).toBe("B");
  expect(nextCursor("</v1/ota/devices>; rel=next")).toBeUndefined();
  expect(nextCursor(null)).toBeUndefined();
});
