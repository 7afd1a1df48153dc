import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { ProjectProvider } from "@/api/project";
import Toasts from "@/ui/Toasts";

/** A request that the server of a test got. */
interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  key: string | null;
  body: unknown;
}

/** The server of a test. `respond` decides each response; it may return a promise to hold the request open. */
export interface Server {
  sent: Sent[];
  respond: (sent: Sent) => Response | Promise<Response>;
}

/** Replaces the server for a test. Call `close` after the test. */
export function fakeServer(): Server & { close: () => void } {
  const server: Server = { sent: [], respond: () => Response.json({}) };
  vi.stubGlobal("fetch", async (request: Request) => {
    const text = await request.text();
    const { pathname, searchParams } = new URL(request.url);
    const sent = {
      method: request.method,
      path: pathname,
      query: searchParams,
      key: request.headers.get("Idempotency-Key"),
      body: text ? (JSON.parse(text) as unknown) : undefined,
    };
    server.sent.push(sent);
    return server.respond(sent);
  });
  return Object.assign(server, {
    close: () => {
      cleanup();
      vi.unstubAllGlobals();
    },
  });
}

/** Returns a promise with the function that resolves it. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Returns a response with an error. */
export function refusal(status: number, detail: string, more: object = {}): Response {
  return Response.json({ code: "refused", detail, ...more }, { status, headers: { "Content-Type": "application/problem+json" } });
}

/** Shows the element as a page of a project, with toasts. `leave` opens another page, as the browser's Back button does. */
export async function renderPage(page: ReactNode): Promise<{ leave: () => Promise<void> }> {
  window.history.replaceState(null, "", "/start");
  const root = createRootRoute({
    component: () => (
      <ProjectProvider slug="acme" name="Acme" role="admin">
        <Outlet />
        <Toasts />
      </ProjectProvider>
    ),
  });
  const start = createRoute({ getParentRoute: () => root, path: "/start", component: () => <main>{page}</main> });
  const elsewhere = createRoute({ getParentRoute: () => root, path: "/elsewhere", component: () => <p>{"Another page"}</p> });
  const router = createRouter({ routeTree: root.addChildren([start, elsewhere]) });
  render(<RouterProvider router={router as never} />);
  await screen.findByRole("main", { hidden: true });
  return {
    leave: async () => {
      await router.navigate({ href: "/elsewhere" } as never);
    },
  };
}
