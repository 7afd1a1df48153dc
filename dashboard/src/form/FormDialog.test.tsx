import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useChange } from "@/api/change";
import { deferred, fakeServer, refusal as refuse, renderPage } from "@/testing/page";
import { Choice } from "./Choice";
import { FormDialog } from "./FormDialog";
import { Input } from "./Input";
import { useFields } from "./useFields";

let server: ReturnType<typeof fakeServer>;
const onClose = vi.fn();
beforeEach(() => {
  server = fakeServer();
  onClose.mockClear();
});
afterEach(() => server.close());

function NewBranch({ refusal = null }: { refusal?: string | null }) {
  const add = useChange<{ name: string }, unknown>({
    run: (client, body, key) => client.POST("/v1/ota/branches", { params: { header: { "Idempotency-Key": key } }, body }),
    done: "Created.",
    onDone: onClose,
  });
  const fields = useFields({ defaults: { name: "" }, submit: add.mutate, problem: add.error });
  return (
    <FormDialog fields={fields} title="New branch" submit="Create" refusal={refusal} busy={add.isPending} onClose={onClose}>
      <Input of={fields} name="name" label="Name" rules={{ required: "This field is required." }} />
    </FormDialog>
  );
}

const type = (name: string) => userEvent.type(screen.getByLabelText("Name"), name);
const create = () => userEvent.click(screen.getByRole("button", { name: "Create" }));

test("a form stays open while its request runs", async () => {
  const request = deferred<Response>();
  server.respond = () => request.promise;
  await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await type("beta");
  await create();
  await waitFor(() => expect(server.sent).toHaveLength(1));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByRole("dialog", { name: "Discard the changes?" })).toBeNull();
  request.resolve(Response.json({}));
  await screen.findByText("Created.");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a refusal of a field is shown at the field, which has focus, and is not an alert too", async () => {
  server.respond = () => refuse(400, "name: has a space", { errors: [{ field: "body.name", message: "has a space" }] });
  await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await type("my branch");
  await create();
  const error = await screen.findByText("has a space");
  const field = screen.getByLabelText<HTMLInputElement>("Name");
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-describedby")).toContain(error.id);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(field.value, "the input is kept").toBe("my branch");
});

test("closing a changed form asks first, and leaving its page too", async () => {
  const { leave } = await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await type("beta");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Keep editing" }));
  expect(onClose).not.toHaveBeenCalled();
  void leave();
  await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
  await screen.findByText("Another page");
});

test("a form with an empty required field is not sent, and the field has focus", async () => {
  await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await create();
  await screen.findByText("This field is required.");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  await type("beta{Enter}");
  await screen.findByText("Created.");
  expect(server.sent.map(({ body }) => body)).toEqual([{ name: "beta" }]);
});

test("a form that cannot be sent says why", async () => {
  await renderPage(<NewBranch refusal="The project has 100 branches." />);
  await screen.findByRole("dialog");
  await type("beta");
  await create();
  expect(screen.getByRole("button", { name: "Create" }).title).toBe("The project has 100 branches.");
  expect(server.sent).toEqual([]);
});

test("an unchanged form closes by Esc without a question, and Cancel never asks", async () => {
  await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  await type("beta");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole("dialog", { name: "Discard the changes?" })).toBeNull();
});

test("after an outage the form keeps its input, and the same input has the same key", async () => {
  await renderPage(<NewBranch />);
  await screen.findByRole("dialog");
  await type("beta");
  const send = async () => {
    const before = server.sent.length;
    await create();
    await waitFor(() => expect(server.sent).toHaveLength(before + 1));
    await waitFor(() => expect(screen.getByRole("button", { name: "Create" }).getAttribute("aria-busy")).toBeNull());
    return server.sent.at(-1)!.key;
  };
  server.respond = () => refuse(503, "Postgres is unavailable");
  const first = await send();
  expect((await screen.findByRole("alert")).textContent).toContain("Postgres is unavailable");
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("beta");
  server.respond = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await send()).toBe(first);
  await screen.findByText("This may have gone through. Sending it again without changes will not apply it twice.");
  await type("2");
  expect(await send(), "another name").not.toBe(first);
  expect(onClose).not.toHaveBeenCalled();
});

function Typed() {
  const fields = useFields({ defaults: { kind: "a", name: "" }, submit: () => {}, problem: null });
  return (
    <FormDialog fields={fields} title="New rule" submit="Add" busy={false} onClose={onClose}>
      <Choice of={fields} name="kind" label="Matches" options={[{ value: "a", label: "Users" }]} />
      <Input of={fields} name="name" label="Name" />
    </FormDialog>
  );
}

test("focus begins in the first field, even if it is a select", async () => {
  await renderPage(<Typed />);
  await screen.findByRole("dialog");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Matches")));
});
