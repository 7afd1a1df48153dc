// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { marksOf } from "./marks";

test("a release's marks show the changes of the devices that get it", () => {
  const at = "2026-11-23T10:00:00Z";
  const entry = (action: string, details: Record<string, unknown>) => ({ action, details, createdAt: at });
  const marks = marksOf({ id: 7, createdAt: at }, [
    entry("build.published", {}),
    entry("update.patched", { rolloutPercentage: { before: 5, after: 25 } }),
    entry("update.patched", { releaseMessage: { before: "", after: "x" } }),
    entry("update.patched", { isEnabled: { before: true, after: false } }),
    entry("update.patched", { isEnabled: { before: false, after: true } }),
    entry("update.rollback", { rolledBackUpdateIds: [7, 8] }),
    entry("update.rollback", { rolledBackUpdateIds: [9], republishedFromId: 7 }),
  ]);
  expect(marks.map(({ label, tone }) => [label, tone])).toEqual([
    ["Published", undefined],
    ["25%", undefined],
    ["Off", "bad"],
    ["On", undefined],
    ["Rolled back", "bad"],
    ["Rolled back to it", undefined],
  ]);
});
