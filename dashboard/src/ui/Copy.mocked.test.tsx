import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Copy } from "./Copy";
import { toast } from "./toast";

vi.mock("./toast", () => ({ toast: vi.fn() }));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("a browser that does not permit to copy leads to a message", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("Write permission denied."));
  render(<Copy text="waft_secret" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(toast).toHaveBeenCalledWith({ title: "The browser did not permit copying. Select the text and copy it.", tone: "bad" });
  expect(screen.queryByRole("button", { name: "Copied" })).toBeNull();
});

test("a copied text is confirmed", async () => {
  const user = userEvent.setup();
  render(<Copy text="waft_secret" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("waft_secret");
});
