import { describe, expect, it } from "vitest";
import { claimsLine, parseChannels, parseClaims } from "./claims";

describe("the form of a publisher", () => {
  it("reads a claim a line, with = in values", () => {
    expect(parseClaims("repository = acme/app\n\nsub=a=b\n")).toEqual({ repository: "acme/app", sub: "a=b" });
  });
  it("reads channels, and none as all", () => {
    expect(parseChannels(" production, ,staging")).toEqual(["production", "staging"]);
    expect(parseChannels(" ")).toBeNull();
  });
  it("shows claims on one line", () => {
    expect(claimsLine({ repository: "acme/app", ref: "refs/heads/main" })).toBe("repository = acme/app, ref = refs/heads/main");
  });
});
