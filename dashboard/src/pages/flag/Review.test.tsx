import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deferred, fakeServer, refusal, renderPage, type Server } from "@/testing/page";
import { draftOf, type Flag } from "./draft";
import { Review } from "./Review";

let server: Server & { close: () => void };
const onClose = vi.fn();
const onSaved = vi.fn(async () => {});
beforeEach(() => {
  server = fakeServer();
  onClose.mockClear();
  onSaved.mockClear();
});
afterEach(() => server.close());

const flag: Flag = {
  id: 9,
  key: "checkout",
  name: "Checkout",
  description: "",
  flagType: "boolean",
  defaultValue: false,
  enabled: true,
  variations: [],
  rules: [],
  environments: [],
  activeRollouts: [],
  newestReleases: [],
  createdAt: "2026-11-01T00:00:00Z",
  updatedAt: "2026-11-01T00:00:00Z",
};
const effect = { devicesAffected: 245, moves: [], warnings: [], neededApprovals: [] };

function Saves() {
  return (
    <Review
      flagId={flag.id}
      flagKey={flag.key}
      etag={'"9-1"'}
      draft={{ ...draftOf(flag), name: "Checkout 2" }}
      changes={[{ what: "Name", before: "Checkout", after: "Checkout 2" }]}
      onClose={onClose}
      onSaved={onSaved}
      onReload={async () => {}}
      onRebase={async () => {}}
    />
  );
}

const save = () => screen.getByRole("button", { name: "Save" });
const writes = () => server.sent.filter(({ path, method }) => method !== "GET" && !path.endsWith("/preview"));
const open = () => screen.findByRole("dialog", { name: "What changes" });

/** Opens the review, and saves by a request that stays open. */
async function saving() {
  const answer = deferred<Response>();
  server.respond = ({ path }) => (path.endsWith("/preview") ? Response.json(effect) : answer.promise);
  const page = await renderPage(<Saves />);
  await screen.findByText(/245 devices would get another value/);
  await userEvent.click(save());
  await waitFor(() => expect(writes()).toHaveLength(1));
  return { ...page, answer };
}

test("the dialog says that saving waits for the effect", async () => {
  const preview = deferred<Response>();
  server.respond = () => preview.promise;
  await renderPage(<Saves />);
  const dialog = await open();
  expect(dialog.textContent).toContain("You can save when the effect is known.");
  await userEvent.click(save());
  expect(writes()).toEqual([]);
  preview.resolve(Response.json(effect));
  await screen.findByText(/245 devices would get another value/);
  expect(dialog.textContent).not.toContain("You can save when the effect is known.");
  expect(save().getAttribute("aria-disabled")).toBeNull();
});

test("a flag whose effect is unknown can be saved", async () => {
  server.respond = ({ path }) => (path.endsWith("/preview") ? refusal(503, "ClickHouse is unavailable") : Response.json(flag));
  await renderPage(<Saves />);
  await screen.findByText(/ClickHouse is unavailable/);
  expect((await open()).textContent).toContain("You can still save, but without knowing how many devices this affects.");
  await userEvent.click(save());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test("the dialog stays open while it saves, and closes when the flag is saved", async () => {
  const { answer } = await saving();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Continue editing" }));
  await userEvent.click(within(await open()).getByRole("button", { name: "Close" }));
  expect(onClose).not.toHaveBeenCalled();
  answer.resolve(Response.json(flag));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onSaved).toHaveBeenCalledOnce();
  expect(writes()).toHaveLength(1);
});

test("a failure is shown in the dialog, once", async () => {
  const { answer } = await saving();
  answer.resolve(refusal(409, "a rule uses the variation"));
  expect((await screen.findByRole("alert")).textContent).toContain("a rule uses the variation");
  expect(screen.getAllByText(/a rule uses the variation/)).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a failure after the dialog is left is a message with the flag's key", async () => {
  const { answer, leave } = await saving();
  await leave();
  await screen.findByText("Another page");
  answer.resolve(refusal(409, "a rule uses the variation"));
  await screen.findByText("Not applied: Save the flag checkout");
  expect(screen.getByText(/a rule uses the variation/)).toBeTruthy();
});

test("a change is scheduled for a time, with the effect shown as for saving", async () => {
  server.respond = ({ path, method }) =>
    path.endsWith("/preview") ? Response.json(effect) : path.endsWith("/schedule") && method === "GET" ? Response.json([]) : Response.json({ id: 71 }, { status: 201 });
  await renderPage(<Saves />);
  await screen.findByText(/245 devices would get another value/);
  await userEvent.click(screen.getByRole("radio", { name: "At a time" }));
  const schedule = screen.getByRole("button", { name: "Schedule" });
  expect(schedule.getAttribute("aria-disabled")).toBe("true");
  fireEvent.change(screen.getByLabelText(/^Time of the change/), { target: { value: "2031-03-15T09:00" } });
  await userEvent.click(schedule);
  await screen.findByText("The change is scheduled.");
  const sent = server.sent.find(({ path, method }) => path.endsWith("/schedule") && method === "POST")!;
  expect(sent.key).not.toBeNull();
  expect(new Date((sent.body as { at: string }).at).getUTCFullYear()).toBe(2031);
  expect(sent.body).toMatchObject({ body: { name: "Checkout 2" } });
  expect(onClose).toHaveBeenCalledOnce();
});
