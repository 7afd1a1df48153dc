import { screen, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeServer, refusal } from "@/testing/page";
import { SetUp } from "./SetUp";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const used = () => screen.findByRole("heading", { name: "This link has been used" });

test("a used link leads to the sign-in page instead of its form", async () => {
  server.respond = () => Response.json({ setupRequired: false });
  render(<SetUp token="abc" />);
  await used();
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/app/login");
});

test("a link that someone uses while its form is open has been used, too", async () => {
  server.respond = ({ method }) => (method === "GET" ? Response.json({ setupRequired: true }) : refusal(409, "there is an owner"));
  render(<SetUp token="abc" />);
  await userEvent.type(screen.getByLabelText("Email address"), "ada@example.com");
  await userEvent.type(screen.getByLabelText("Your name"), "Ada");
  await userEvent.type(screen.getByLabelText("Password"), "correct horse battery");
  await userEvent.click(screen.getByRole("button", { name: "Create the account" }));
  await used();
});

test("without a response about earlier accounts the form is shown", async () => {
  server.respond = () => refusal(503, "Postgres is unavailable");
  render(<SetUp token="abc" />);
  expect(await screen.findByLabelText("Password")).toBeTruthy();
  expect(document.activeElement, "typing begins in the first field").toBe(screen.getByLabelText("Email address"));
});
