import { linkOptions } from "@tanstack/react-router";
import { expect, it } from "vitest";
import { id, list, oneOf, optional, order, reading, text, time, uuid } from "./parameters";

const { validateSearch } = reading({
  ...list("name", "health.crashRate"),
  days: oneOf(["7", "30"], "7"),
  status: oneOf(["open"]),
  channel: optional(),
  at: text("100"),
  release: id(),
  build: uuid(),
  from: time(),
  patches: order("size"),
});
const read = validateSearch as unknown as (search: Record<string, unknown>) => Record<string, unknown>;

const initial = { search: "", sort: "", days: "7", status: "", channel: undefined, at: "100", release: "", build: "", from: "", patches: "" };

it("reads the parameters that the address has, and the initial value of the others", () => {
  expect(read({})).toEqual(initial);
  const given = {
    search: "dark", sort: "-health.crashRate", days: "30", status: "open", channel: "", at: "", release: "17",
    build: "0b7c1d3e-9a54-4c55-8a0e-2f6f6f5f7c11", from: "2026-11-23T13:10:00Z", patches: "size",
  };
  expect(read(given)).toEqual(given);
});

it("reads the initial value if a value is not valid", () => {
  const wrong = { sort: "-password", days: "x", status: "nonsense", release: "1 or 1", build: "0b7c1d3e", from: "yesterday", patches: "--size" };
  expect(read(wrong)).toEqual(initial);
  expect(read({ status: ["open"], days: 30, from: "2026-13-45T99:00:00Z" })).toEqual(initial);
});

it("ignores a parameter that the page does not have", () => {
  expect(read({ password: "x" })).toEqual(initial);
});

it("checks the links to a page when they are compiled", () => {
  const params = { project: "acme" };
  linkOptions({ to: "/$project/incidents", params, search: { status: "open" } });
  // @ts-expect-error the page has no parameter with this name
  linkOptions({ to: "/$project/incidents", params, search: { statu: "open" } });
  // @ts-expect-error the parameter has no such value
  linkOptions({ to: "/$project/incidents", params, search: { status: "nonsense" } });
});
