import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeServer, renderPage } from "@/testing/page";
import { IncidentBadge } from "./IncidentBadge";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const show = (id: number) =>
  renderPage(
    <QueryClientProvider client={new QueryClient()}>
      <IncidentBadge release={{ id } as never} />
    </QueryClientProvider>,
  );
const asked = () => server.sent.map(({ path }) => path);

test("a release with an open incident links to the incidents", async () => {
  server.respond = ({ path }) => Response.json(path.endsWith("/overview") ? [{ incidents: 1 }] : [{ updateId: 7 }, { updateId: 8 }]);
  await show(7);
  const badge = await screen.findByRole("link", { name: "1 open incident" }, { timeout: 10_000 });
  expect(badge.getAttribute("href")).toContain("/acme/incidents");
});

test("without open incidents in the project, incidents are not requested", async () => {
  server.respond = () => Response.json([{ incidents: 0 }]);
  await show(7);
  await waitFor(() => expect(asked()).toEqual(["/v1/ota/overview"]));
  expect(screen.queryByRole("link")).toBeNull();
});
