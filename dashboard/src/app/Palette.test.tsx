import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deferred, fakeServer, renderPage } from "@/testing/page";
import Palette from "./Palette";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const release = { id: 17, updateId: 17, releaseMessage: "Faster checkout", runtimeVersion: "2.4.1", platform: "ios", branchName: "production", kind: "update" };

test("records that match an earlier text are not listed for a later one", async () => {
  const held = deferred<Response>();
  server.respond = ({ path, query }) => {
    if (!path.endsWith("/updates")) return Response.json([]);
    return query.get("search") === "2.4" ? Response.json([release]) : held.promise;
  };
  await renderPage(<Palette onClose={() => {}} />);
  const input = await screen.findByRole("combobox", {}, { timeout: 10_000 });
  await userEvent.type(input, "2.4");
  await screen.findByRole("option", { name: /Faster checkout/ });
  await userEvent.type(input, ".0");
  expect(screen.queryByRole("option")).toBeNull();
  await screen.findByText("Searching…");
  held.resolve(Response.json([]));
  await waitFor(() => expect(screen.queryByText("No results.")).not.toBeNull());
});

test("a search for an action that this page does not have finds the page that has it", async () => {
  server.respond = () => Response.json([]);
  const onClose = vi.fn();
  await renderPage(<Palette onClose={onClose} />);
  const input = await screen.findByRole("combobox", {}, { timeout: 10_000 });
  await userEvent.type(input, "roll back");
  await screen.findByRole("option", { name: /^Overview.*Roll back a release/ });
  await userEvent.clear(input);
  await userEvent.type(input, "pause");
  expect(screen.getAllByRole("option").map((each) => each.textContent)).toEqual([
    "OverviewRoll back a release, pause or resume a channel",
    "RolloutsPause, resume, advance or cancel a rollout",
  ]);
});
