import { describe, expect, it } from "vitest";
import { claimsLine, parseChannels, parseClaims } from "./claims";

describe("the form of a publisher", () => {
  it("parses one claim per line, with = in values", () => {
    expect(parseClaims("repository = acme/app\n\nsub=a=b\n")).toEqual({ repository: "acme/app", sub: "a=b" });
  });
  it("parses channels, and an empty list as all channels", () => {
    expect(parseChannels(" production, ,staging")).toEqual(["production", "staging"]);
    expect(parseChannels(" ")).toBeNull();
  });
  it("shows claims on one line", () => {
    expect(claimsLine({ repository: "acme/app", ref: "refs/heads/main" })).toBe("repository = acme/app, ref = refs/heads/main");
  });
});
