import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { TypedInput } from "./TypedInput";

afterEach(cleanup);

const field = () => screen.getByRole<HTMLInputElement>("textbox");
const type = (value: string) => fireEvent.change(field(), { target: { value } });

test("typed text is shown immediately, and the value follows", () => {
  const told: string[] = [];
  const input = (value: string) => <TypedInput value={value} onText={(text) => told.push(text)} />;
  const { rerender } = render(input(""));
  type("d");
  type("da");
  expect(field().value).toBe("da");
  expect(told).toEqual(["d", "da"]);
  rerender(input("d"));
  expect(field().value).toBe("da");
  rerender(input("da"));
  expect(field().value).toBe("da");
  rerender(input("another"));
  expect(field().value).toBe("another");
});
