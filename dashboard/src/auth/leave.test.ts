// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { entryOf, nextAddress } from "./leave";

test("only pages of the dashboard are opened after a sign-in", () => {
  expect(nextAddress("/app/demo/rollouts/7?tab=looks")).toBe("/app/demo/rollouts/7?tab=looks");
  for (const bad of [null, "", "https://evil.example/app/", "//evil.example/app/", "/app/../v1/ota/assets/x", "/app/login", "javascript:alert(1)", "/docs"]) {
    expect(nextAddress(bad)).toBe("/app/projects");
  }
});

test("a person who joined opens the only project, and chooses one of several", () => {
  expect(entryOf([{ slug: "parcels" }])).toBe("/app/parcels/overview");
  expect(entryOf([{ slug: "parcels" }, { slug: "letters" }])).toBe("/app/projects");
  expect(entryOf([])).toBe("/app/projects");
});
