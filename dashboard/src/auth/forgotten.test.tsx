import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Forgot } from "./Forgot";
import { LogIn } from "./LogIn";
import { Reset } from "./Reset";

const sent: { path: string; body: unknown }[] = [];
let methods = {};
let refusal: object | null = null;

beforeEach(() => {
  sent.length = 0;
  refusal = null;
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (path === "/v1/auth/methods") return Response.json(methods);
    sent.push({ path, body: await request.json() });
    return refusal ? Response.json(refusal, { status: 401, headers: { "Content-Type": "application/problem+json" } }) : new Response(null, { status: 204 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the sign-in page offers a new password only if the server sends mail", async () => {
  methods = { setupRequired: false, password: true, forgotPassword: false, passkeys: false, oidc: [] };
  render(<LogIn refused={null} />);
  await screen.findByLabelText("Password");
  expect(screen.queryByRole("link", { name: "Forgot password?" })).toBeNull();
  cleanup();
  methods = { ...methods, forgotPassword: true };
  render(<LogIn refused={null} />);
  expect((await screen.findByRole("link", { name: "Forgot password?" })).getAttribute("href")).toBe("/app/forgot");
});

test("a request for a link shows the same message for every address", async () => {
  render(<Forgot />);
  await userEvent.type(screen.getByLabelText("Email address"), "ada@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send the link" }));
  expect(await screen.findByText(/If ada@example.com has an account/)).toBeTruthy();
  expect(sent).toEqual([{ path: "/v1/auth/password/forgot", body: { email: "ada@example.com" } }]);
});

test("a link sets the password, and a used link offers a new one", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", Object.assign(new URL("http://localhost/app/reset"), { assign }));
  refusal = { status: 401, code: "unauthenticated", detail: "the link was used" };
  render(<Reset token="abc" />);
  await userEvent.type(screen.getByLabelText("New password"), "correct horse battery");
  await userEvent.click(screen.getByRole("button", { name: "Set the password" }));
  expect((await screen.findByRole("link", { name: "Ask for another link" })).getAttribute("href")).toBe("/app/forgot");
  expect(assign, "the page is not left for the login").not.toHaveBeenCalled();
  refusal = null;
  await userEvent.click(screen.getByRole("button", { name: "Set the password" }));
  expect(await screen.findByText(/Your new password is set/)).toBeTruthy();
  expect(sent[1]).toEqual({ path: "/v1/auth/password/reset", body: { token: "abc", password: "correct horse battery" } });
});

test("a page without its token shows that the link is incomplete", () => {
  render(<Reset token="" />);
  expect(screen.getByText(/link is incomplete/)).toBeTruthy();
});

test("an error about a field is shown only at the field", async () => {
  const problem = "must have at least 12 characters";
  refusal = { status: 400, code: "invalid", detail: `password: ${problem}`, errors: [{ field: "password", message: problem }] };
  render(<Reset token="abc" />);
  await userEvent.type(screen.getByLabelText("New password"), "short");
  await userEvent.click(screen.getByRole("button", { name: "Set the password" }));
  expect((await screen.findByRole("alert")).textContent).toBe(problem);
});
