import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useProject } from "@/api/project";
import type { Tagged } from "@/api/tagged";
import { fakeServer, refusal, renderPage } from "@/testing/page";
import { Input } from "./Input";
import { useRecordForm } from "./useRecordForm";

interface Branch {
  name: string;
  note: string;
}

let server: ReturnType<typeof fakeServer>;
let stored: Tagged<Branch>;
beforeEach(() => {
  server = fakeServer();
  stored = { record: { name: "beta", note: "ours" }, etag: '"1"' };
  server.respond = ({ method, body }) => {
    if (method === "GET") return Response.json(stored.record, { headers: { ETag: stored.etag } });
    stored = { record: { ...stored.record, ...(body as Branch) }, etag: `"${Number(stored.etag.slice(1, -1)) + 1}"` };
    return Response.json(stored.record, { headers: { ETag: stored.etag } });
  };
});
afterEach(() => server.close());

const key = ["branch"];

function Page() {
  const query = useQuery({ queryKey: key, queryFn: () => Promise.resolve(stored) });
  if (!query.data) return null;
  return (
    <>
      <Form stored={query.data} />
      <button type="button" onClick={() => void query.refetch()}>{"Refetch"}</button>
    </>
  );
}

function Form({ stored }: { stored: Tagged<Branch> }) {
  const { client } = useProject();
  const { fields, save, isOvertaken, load, keep } = useRecordForm<Branch, Branch>({
    stored,
    queryKey: key,
    draftOf: (record) => record ?? { name: "", note: "" },
    send: (_client, draft, base) =>
      client.PATCH("/v1/ota/updates/{id}", { params: { path: { id: 7 }, header: { "If-Match": base!.etag } }, body: draft as never }) as never,
    done: "Saved.",
  });
  return (
    <form {...fields.props}>
      <Input of={fields} name="name" label="Name" />
      <Input of={fields} name="note" label="Note" />
      {save.error && <p>{save.error.message}</p>}
      {isOvertaken && (
        <div role="alert">
          <button type="button" onClick={load}>{"theirs"}</button>
          <button type="button" onClick={keep}>{"mine"}</button>
        </div>
      )}
      <button type="submit">{"Save"}</button>
    </form>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

async function fill(label: string, value: string) {
  await userEvent.clear(field(label));
  await userEvent.type(field(label), value);
}

/** Someone else saves `change`, and the server refuses the form once. */
function overtakeBy(change: Partial<Branch>) {
  const answer = server.respond;
  server.respond = () => {
    stored = { record: { ...stored.record, ...change }, etag: '"5"' };
    server.respond = answer;
    return refusal(412, "the record has changed");
  };
}

test("a saved form shows the stored record, and saves on top of it again", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "first");
  await save();
  await screen.findByText("Saved.");
  await fill("Note", "second");
  await save();
  await waitFor(() => expect(stored.record).toEqual({ name: "beta", note: "second" }));
});

test("someone else's change is kept where only they edited, and mine where I did", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "mine");
  overtakeBy({ name: "gamma", note: "theirs" });
  await save();
  await userEvent.click(await screen.findByRole("button", { name: "mine" }));
  expect([field("Name").value, field("Note").value]).toEqual(["gamma", "mine"]);
  await save();
  await waitFor(() => expect(stored.record).toEqual({ name: "gamma", note: "mine" }));
});

test("their version replaces my edits when I choose it", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "mine");
  overtakeBy({ note: "theirs" });
  await save();
  await userEvent.click(await screen.findByRole("button", { name: "theirs" }));
  expect(field("Note").value).toBe("theirs");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a refusal keeps what was typed", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Name", "typed");
  server.respond = () => refusal(503, "Postgres is unavailable");
  await save();
  await screen.findByText("Postgres is unavailable");
  expect(field("Name").value).toBe("typed");
});

/** Someone else saves `change`, and the page learns of it. */
async function showChange(change: Partial<Branch>) {
  stored = { record: { ...stored.record, ...change }, etag: '"5"' };
  await userEvent.click(screen.getByRole("button", { name: "Refetch" }));
}

test("someone else's change is shown immediately while nothing is edited", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await showChange({ note: "theirs" });
  await waitFor(() => expect(field("Note").value).toBe("theirs"));
  expect(screen.queryByRole("alert")).toBeNull();
  await fill("Name", "gamma");
  await save();
  await waitFor(() => expect(stored.record).toEqual({ name: "gamma", note: "theirs" }));
});

test("someone else's change does not replace what is being edited, and the form asks before it is sent", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "mine");
  await showChange({ note: "theirs" });
  await screen.findByRole("alert");
  expect(field("Note").value).toBe("mine");
  await userEvent.click(screen.getByRole("button", { name: "theirs" }));
  expect(document.activeElement, "the form has focus").toBe(field("Name"));
  expect(server.sent).toEqual([]);
});

test("a change that waits for an approval leaves the record and the input as they are", async () => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "mine");
  server.respond = () => Response.json({ approval: { id: 3, summary: "Change the branch" } }, { status: 202 });
  await save();
  await screen.findByRole("link", { name: "Open the approval" });
  expect(field("Note").value).toBe("mine");
  expect(stored.record.note).toBe("ours");
});

test.each([
  ["a response that is lost", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a request without its precondition", () => refusal(428, "the header If-Match is missing")],
])("%s keeps what was typed, and it can be sent again", async (_name, respond) => {
  await renderPage(<Page />);
  await screen.findByLabelText("Name");
  await fill("Note", "mine");
  const answer = server.respond;
  server.respond = respond;
  await save();
  await screen.findByText(/Waft is not responding|If-Match is missing/);
  expect(field("Note").value).toBe("mine");
  server.respond = answer;
  await save();
  await waitFor(() => expect(stored.record.note).toBe("mine"));
});

function New() {
  const { fields, save } = useRecordForm<Branch, Branch>({
    stored: undefined,
    draftOf: (record) => record ?? { name: "", note: "" },
    send: (client, { name }, base, idempotencyKey) =>
      client.POST("/v1/ota/branches", { params: { header: { "Idempotency-Key": base ? "changed" : idempotencyKey } }, body: { name } }) as never,
  });
  return (
    <form {...fields.props}>
      <Input of={fields} name="name" label="Name" />
      {save.error && <p>{save.error.message}</p>}
      <button type="submit">{"Save"}</button>
    </form>
  );
}

test("a new record has the same key for the same input after an outage, and another for other input", async () => {
  await renderPage(<New />);
  await screen.findByLabelText("Name");
  server.respond = () => refusal(503, "Postgres is unavailable");
  const keyOf = async (name: string) => {
    await fill("Name", name);
    const before = server.sent.length;
    await save();
    await waitFor(() => expect(server.sent).toHaveLength(before + 1));
    await screen.findByText("Postgres is unavailable");
    return server.sent.at(-1)!.key;
  };
  const first = await keyOf("beta");
  expect(first).toBeTruthy();
  expect(await keyOf("beta")).toBe(first);
  expect(await keyOf("gamma")).not.toBe(first);
});
