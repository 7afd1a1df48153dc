import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
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
