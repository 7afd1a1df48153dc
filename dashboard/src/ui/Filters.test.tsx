import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Filters } from "./Filters";

test("a button shows the number of active filters, and whether they are expanded", async () => {
  render(
    <Filters active={2}>
      <select aria-label="Channel" />
    </Filters>,
  );
  const button = screen.getByRole("button", { name: "Filters · 2" });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(button);
  expect(screen.getByRole("button", { name: "Filters · 2", expanded: true })).toBe(button);
});
