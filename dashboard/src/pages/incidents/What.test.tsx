import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { queries } from "@/app/session";
import { fakeServer, renderPage } from "@/testing/page";
import { What } from "./What";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  queries.clear();
});
afterEach(() => server.close());

const incident = {
  id: 1, resolution: null, release: null, updateUuid: null, channel: "production", platform: "ios", runtimeVersion: "1.0.0",
  flagKey: "new-checkout", flagId: 31, variation: "true", errorRate: 10, baselineErrorRate: 1, note: "", gitCommitHash: "4b825dc642cb", gitAuthor: "Ada",
};
const show = (more: object = {}) =>
  renderPage(
    <QueryClientProvider client={new QueryClient()}>
      <What incident={{ ...incident, ...more } as never} />
    </QueryClientProvider>,
  );

test("an incident links to its commit and its flag, without a request for them", async () => {
  server.respond = () => Response.json({ projects: [{ slug: "acme", repositoryUrl: "https://github.com/acme/app" }] });
  await show();
  const commit = await screen.findByRole("link", { name: "4b825dc" });
  expect(commit.getAttribute("href")).toBe("https://github.com/acme/app/commit/4b825dc642cb");
  expect(commit.getAttribute("rel")).toBe("noopener noreferrer");
  expect(screen.getByRole("link", { name: /new-checkout/ }).getAttribute("href")).toContain("/acme/flags/31");
  expect(screen.getByText("by Ada")).toBeTruthy();
  expect(server.sent.map(({ path }) => path)).toEqual(["/v1/me"]);
});

test("without a repository and with a deleted flag, an incident shows them as text", async () => {
  server.respond = () => Response.json({ projects: [{ slug: "acme" }] });
  await show({ flagId: null });
  expect(await screen.findByText("4b825dc")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});
