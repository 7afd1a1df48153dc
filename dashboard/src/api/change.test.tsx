import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deferred, fakeServer, refusal, renderPage } from "@/testing/page";
import { useChange } from "./change";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

function Add({ toastErrors }: { toastErrors?: boolean }) {
  const add = useChange<string, unknown>({
    run: (client, name, key) => client.POST("/v1/ota/branches", { params: { header: { "Idempotency-Key": key } }, body: { name } }),
    done: (_output, name) => `Created ${name}.`,
    toastErrors,
  });
  return (
    <>
      <button onClick={() => add.mutate("beta")}>{"Add beta"}</button>
      <button onClick={() => add.mutate("gamma")}>{"Add gamma"}</button>
      {add.error && <p>{`shown: ${add.error.message}`}</p>}
    </>
  );
}

const press = async (name: string) => {
  const before = server.sent.length;
  await userEvent.click(screen.getByRole("button", { name }));
  await waitFor(() => expect(server.sent).toHaveLength(before + 1));
};
const keys = () => server.sent.map(({ key }) => key);

test("after an outage the same change has the same key, and another change has its own", async () => {
  await renderPage(<Add />);
  server.respond = () => refusal(503, "Postgres is unavailable");
  for (const name of ["beta", "beta", "gamma", "beta"]) {
    await press(`Add ${name}`);
    await screen.findByText("shown: Postgres is unavailable");
  }
  const [first, second, other, last] = keys();
  expect([second, last]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("after a success and after a refusal the same change has a new key", async () => {
  await renderPage(<Add />);
  await press("Add beta");
  await screen.findByText("Created beta.");
  server.respond = () => refusal(409, "the branch exists");
  await press("Add beta");
  await screen.findByText("shown: the branch exists");
  await press("Add beta");
  expect(new Set(keys()).size).toBe(3);
});

test("a change that waits for an approval links to it", async () => {
  server.respond = () => Response.json({ approval: { id: 3, summary: "A new branch" } }, { status: 202 });
  await renderPage(<Add />);
  await press("Add beta");
  expect((await screen.findByRole("link", { name: "Open the approval" })).getAttribute("href")).toBe("/app/acme/approvals/3");
  expect(screen.queryByText("Created beta.")).toBeNull();
});

test("a failure is a message only if its page does not show it", async () => {
  server.respond = () => refusal(409, "the branch exists");
  await renderPage(<Add toastErrors />);
  await press("Add beta");
  await waitFor(() => expect(screen.getByRole("region", { name: "Notifications" }).textContent).toContain("the branch exists"));
});

test("a failure after the page is left names the page", async () => {
  document.title = "Branches · Waft";
  const answer = deferred<Response>();
  server.respond = () => answer.promise;
  const { leave } = await renderPage(<Add />);
  await press("Add beta");
  await leave();
  await screen.findByText("Another page");
  answer.resolve(refusal(409, "the branch exists"));
  await screen.findByText("Not applied: a change on the page “Branches”");
  expect(screen.getByText(/the branch exists/)).toBeTruthy();
});

test("after a response that is lost the same change has the same key", async () => {
  await renderPage(<Add />);
  server.respond = () => Promise.reject(new TypeError("Failed to fetch"));
  await press("Add beta");
  await screen.findByText("shown: Waft is not responding.");
  server.respond = () => Response.json({});
  await press("Add beta");
  await screen.findByText("Created beta.");
  expect(keys()[1]).toBe(keys()[0]);
});

test("a response that is lost after the page is left is a message that the change may have been applied", async () => {
  document.title = "Branches · Waft";
  const answer = deferred<Response>();
  server.respond = () => answer.promise;
  const { leave } = await renderPage(<Add />);
  await press("Add beta");
  await leave();
  await screen.findByText("Another page");
  answer.resolve(refusal(504, "the proxy gave up"));
  await screen.findByText("May have gone through: a change on the page “Branches”");
});

test.each([409, 412, 428])("a change that was refused with status %i has a new key next time", async (status) => {
  await renderPage(<Add />);
  server.respond = () => refusal(status, "refused");
  await press("Add beta");
  await screen.findByText("shown: refused");
  await press("Add beta");
  expect(new Set(keys()).size).toBe(2);
});

function Count() {
  const query = useQuery({ queryKey: ["count"], queryFn: () => Promise.resolve(server.sent.length), staleTime: Infinity });
  return <p>{`${query.data} sent`}</p>;
}

test("a change that succeeded loads the data of the page again, and a refused one does not", async () => {
  await renderPage(
    <>
      <Add />
      <Count />
    </>,
  );
  await screen.findByText("0 sent");
  server.respond = () => refusal(409, "the branch exists");
  await press("Add beta");
  await screen.findByText("shown: the branch exists");
  expect(screen.getByText("0 sent")).toBeTruthy();
  server.respond = () => Response.json({});
  await press("Add beta");
  await screen.findByText("2 sent");
});
