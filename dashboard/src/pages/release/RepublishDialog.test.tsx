import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { fakeServer, renderPage } from "@/testing/page";
import { RepublishDialog } from "./RepublishDialog";

let server: ReturnType<typeof fakeServer>;

// These parts are loaded after the page.
beforeAll(() => Promise.all([import("@/ui/ComboboxField"), import("@/ui/DialogPopup")]));

beforeEach(() => {
  server = fakeServer();
  server.respond = ({ path, query }) => {
    if (path !== "/v1/ota/channels") return Response.json({ devicesAffected: 3, releases: [], executions: [], flags: [], channels: [], warnings: [], neededApprovals: [] });
    const names = Array.from({ length: 2_000 }, (_, index) => `channel-${index + 1}`).filter((name) => name.startsWith(query.get("search") ?? ""));
    return Response.json(names.slice(0, Number(query.get("limit"))).map((name) => ({ name })), { headers: { "X-Total-Count": String(names.length) } });
  };
});

afterEach(() => server.close());

test("a release is republished on a channel far behind the first ones, which is found by typing", async () => {
  const release = { id: 7, channel: "production", releaseMessage: "Fix the basket" } as Schemas["Update"];
  await renderPage(<RepublishDialog release={release} onClose={() => {}} />);
  await userEvent.type(await screen.findByRole("combobox", { name: "Add a channel" }), "channel-1700");
  await userEvent.click(await screen.findByRole("option", { name: "channel-1700" }));
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "channel-1700" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("checkbox", { name: "production" }));
  expect(screen.queryByRole("checkbox", { name: "production" })).toBeNull();
  await waitFor(() => expect(server.sent.at(-1)).toMatchObject({ path: "/v1/ota/updates/7/republish/preview", body: { channels: ["channel-1700"] } }));
  await screen.findByText("3");
  await userEvent.click(screen.getByRole("button", { name: "Republish" }));
  await waitFor(() =>
    expect(server.sent.map(({ path, body }) => ({ path, body }))).toContainEqual({
      path: "/v1/ota/updates/7/republish",
      body: { channels: ["channel-1700"], releaseMessage: "Fix the basket" },
    }),
  );
});
