import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SearchField } from "./SearchField";

const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" });

test("what is typed while the address changes stays", async () => {
  const asked: string[] = [];
  const onSearch = (text: string) => asked.push(text);
  const { rerender } = render(<SearchField label="Search" value="" onSearch={onSearch} />);
  await userEvent.type(field(), "da");
  await waitFor(() => expect(asked).toEqual(["da"]));
  expect(field().value).toBe("da");
  await userEvent.type(field(), "rk");
  rerender(<SearchField label="Search" value="da" onSearch={onSearch} />);
  expect(field().value).toBe("dark");
  await waitFor(() => expect(asked).toEqual(["da", "dark"]));
});

test("an address that something else changes is what the field shows", async () => {
  const { rerender } = render(<SearchField label="Search" value="dark" onSearch={() => {}} />);
  await userEvent.type(field(), "er");
  rerender(<SearchField label="Search" value="" onSearch={() => {}} />);
  expect(field().value).toBe("");
});
