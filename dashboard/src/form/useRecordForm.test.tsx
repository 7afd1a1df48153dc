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
  return query.data ? <Form stored={query.data} /> : null;
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
