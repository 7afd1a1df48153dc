import { expect, it } from "vitest";
import { bodyOf, choicesOf, linkOf, type Link } from "./links";

const boolean: Link["flag"] = { id: 1, key: "checkout", flagType: "boolean", variations: [] };
const colour: Link["flag"] = {
  id: 2,
  key: "colour",
  flagType: "string",
  variations: [
    { id: 3, name: "Blue", value: "blue" },
    { id: 4, name: "off", value: "off" },
  ],
};

it("turns a boolean flag on or off", () => {
  expect(choicesOf(boolean).map(({ value }) => value)).toEqual(["on", "off"]);
  expect(bodyOf([linkOf(boolean), { flag: boolean, choice: "off" }])).toEqual([
    { flagId: 1, enabled: true },
    { flagId: 1, enabled: false },
  ]);
});

it("gives another flag one of its values, even a value that is called off", () => {
  expect(choicesOf(colour).map(({ label }) => label)).toEqual(["Blue = blue", "off", "off"]);
  expect(bodyOf([linkOf(colour), { flag: colour, choice: ":off" }, { flag: colour, choice: "off" }])).toEqual([
    { flagId: 2, enabled: true, value: "blue" },
    { flagId: 2, enabled: true, value: "off" },
    { flagId: 2, enabled: false },
  ]);
});
