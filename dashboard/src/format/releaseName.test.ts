import { expect, test } from "vitest";
import { releaseLabels, releaseName, releaseTitle } from "./releaseName";

const release = (updateId: number, releaseMessage: string, platform = "ios") => ({ updateId, releaseMessage, platform, runtimeVersion: "2.4.0", kind: "update" as const });

test("a release is its message and version", () => {
  expect(releaseName(release(106, "Faster checkout"))).toBe("Faster checkout · 2.4.0");
  expect(releaseTitle(release(106, "Faster checkout\n\nDetails"))).toBe("Faster checkout");
  expect(releaseName(release(106, ""))).toBe("Release without notes · 2.4.0");
  expect(releaseTitle({ releaseMessage: "", kind: "rollback_to_embedded" })).toBe("Return to the embedded update");
});

test("a legend tells releases of the same name apart by platform, then by number", () => {
  const labels = releaseLabels([release(1, "Spring"), release(2, "Spring", "android"), release(3, "Summer"), release(4, "Summer")]);
  expect([...labels.values()]).toEqual(["Spring · 2.4.0 · iOS", "Spring · 2.4.0 · Android", "Summer · 2.4.0 · iOS · #3", "Summer · 2.4.0 · iOS · #4"]);
});
