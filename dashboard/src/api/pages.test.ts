import { describe, expect, it } from "vitest";
import { nextPage } from "./pages";

describe("nextPage", () => {
  it("reads the query of the next page, by id or by cursor", () => {
    expect(nextPage('</v1/ota/updates?limit=200&before=17&search=a%20b>; rel="next"')).toEqual({ limit: "200", before: "17", search: "a b" });
    expect(nextPage('</v1/ota/devices?cursor=a%2Bb>; rel="next"')).toEqual({ cursor: "a+b" });
    expect(nextPage('</v1/ota/devices?cursor=A>; rel="prev", </v1/ota/devices?cursor=B>; rel="next"')).toEqual({ cursor: "B" });
    expect(nextPage("</v1/ota/devices?cursor=C>; rel=next")).toEqual({ cursor: "C" });
  });

  it("is undefined after the last page", () => {
    expect(nextPage(null)).toBeUndefined();
    expect(nextPage('</v1/ota/updates>; rel="prev"')).toBeUndefined();
  });
});
