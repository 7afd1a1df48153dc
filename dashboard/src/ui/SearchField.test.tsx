import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SearchField } from "./SearchField";

const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" });
const type = (value: string) => fireEvent.change(field(), { target: { value } });

afterEach(cleanup);

test("text typed while the address changes stays", async () => {
  const asked: string[] = [];
  const onSearch = (text: string) => asked.push(text);
  const { rerender } = render(<SearchField label="Search" value="" onSearch={onSearch} />);
  type("da");
  await waitFor(() => expect(asked).toEqual(["da"]));
  expect(field().value).toBe("da");
  type("dark");
  rerender(<SearchField label="Search" value="da" onSearch={onSearch} />);
  expect(field().value).toBe("dark");
  await waitFor(() => expect(asked).toEqual(["da", "dark"]));
});

test("the field shows a value that something else puts into the address", () => {
  const { rerender } = render(<SearchField label="Search" value="dark" onSearch={() => {}} />);
  type("darker");
  rerender(<SearchField label="Search" value="" onSearch={() => {}} />);
  expect(field().value).toBe("");
});
