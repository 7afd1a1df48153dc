import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeServer, renderPage } from "@/testing/page";
import { SecretDialog } from "./SecretDialog";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

test("a secret stays until its button is pressed", async () => {
  const onClose = vi.fn();
  const { leave } = await renderPage(<SecretDialog title="New key" secret="waft_abc" onClose={onClose} />);
  await screen.findByText("waft_abc");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  void leave();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByText("waft_abc")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "I have copied it" }));
  expect(onClose).toHaveBeenCalledOnce();
});
