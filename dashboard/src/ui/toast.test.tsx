import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeServer, renderPage } from "@/testing/page";
import { toast } from "./toast";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

test("a message has a text, a link and a button to close it, and is announced as one of the notifications", async () => {
  await renderPage(null);
  toast({ title: "It waits for approval.", text: "A change of production", href: "/app/acme/approvals/3", link: "Open the approval" });
  await screen.findByText("A change of production");
  expect(screen.getByRole("link", { name: "Open the approval" }).getAttribute("href")).toBe("/app/acme/approvals/3");
  const list = screen.getByRole("region", { name: "Notifications" });
  expect(list.getAttribute("aria-live")).toBe("polite");
  expect(list.textContent).toContain("It waits for approval.");
  expect(screen.queryByRole("dialog"), "a message is not a dialog").toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText("A change of production")).toBeNull());
});
