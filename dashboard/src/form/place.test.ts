import { expect, it } from "vitest";
import { place, type Rename } from "./place";

const values = { name: "", stages: [{ percentage: "5" }], other: "", networks: "10.0.0.0/8\n::/0", days: ["mon"] };
const at = (field: string, rename?: Rename) => place(values, [{ field, message: "no" }], rename).placed[0]?.path;

it("puts a message at the field it names", () => {
  expect(at("name")).toBe("name");
  expect(at("body.stages[0].percentage")).toBe("stages.0.percentage");
});

it("puts a message about a part at the field that holds it", () => {
  expect(at("networks[1]")).toBe("networks");
  expect(at("days[0]")).toBe("days");
});

it("follows other names", () => {
  expect(at("variations[1].value", () => "other")).toBe("other");
});

it("leaves over messages without a field", () => {
  const { placed, left } = place(values, ["", "stages", "stages[3].percentage", "unknown"].map((field) => ({ field, message: "no" })));
  expect(placed).toEqual([]);
  expect(left).toHaveLength(4);
});
