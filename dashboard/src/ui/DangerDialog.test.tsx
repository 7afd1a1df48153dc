import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deferred, fakeServer, refusal, renderPage } from "@/testing/page";
import { DangerDialog } from "./DangerDialog";
import { Dialog } from "./Dialog";

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const effect = { devicesAffected: 245, releases: [], executions: [], flags: [], channels: [], warnings: [], neededApprovals: [] };
const onClose = vi.fn();
const onDone = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  onDone.mockClear();
});

type More = Partial<Pick<ComponentProps<typeof DangerDialog>, "reason" | "typeName" | "refusal" | "overtaken" | "refetch">>;

function Pause({ previews = false, ...more }: { previews?: boolean } & More) {
  return (
    <DangerDialog
      onClose={onClose}
      title="Pause the rollout"
      reason="optional"
      done="Paused."
      onDone={onDone}
      preview={previews ? (client, signal) => client.POST("/v1/ota/rollout-executions/{id}/pause/preview", { params: { path: { id: 7 } }, body: {}, signal }) : null}
      run={(client, reason, key) =>
        client.POST("/v1/ota/rollout-executions/{id}/pause", { params: { path: { id: 7 }, header: { "Idempotency-Key": key } }, body: { reason } })
      }
      {...more}
    />
  );
}

const confirm = () => screen.getByRole("button", { name: "Pause the rollout" });

/** Waits until a held request has arrived, and returns it. */
async function held() {
  const open = deferred<Response>();
  server.respond = () => open.promise;
  await userEvent.click(confirm());
  await waitFor(() => expect(server.sent).toHaveLength(1));
  return open;
}

test("a dialog stays open while its request runs, and closes when it has succeeded", async () => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  const request = await held();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).not.toHaveBeenCalled();
  expect(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }).title).toBe("The request is still running. Wait until it has ended.");
  request.resolve(Response.json({}));
  await screen.findByText("Paused.");
  expect(onClose).toHaveBeenCalledOnce();
  expect(onDone).toHaveBeenCalledOnce();
});

test("a failure is shown in the dialog, once, and the dialog can be closed again", async () => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  server.respond = () => refusal(409, "the rollout has ended");
  await userEvent.click(confirm());
  expect((await screen.findByRole("alert")).textContent).toContain("the rollout has ended");
  expect(screen.getAllByText(/the rollout has ended/)).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a failure after the page is left is a message that stays until it is closed", async () => {
  const { leave } = await renderPage(<Pause />);
  await screen.findByRole("dialog");
  const request = await held();
  await leave();
  await screen.findByText("Another page");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  request.resolve(refusal(409, "the rollout has ended"));
  await vi.waitFor(() => expect(screen.getByText("Not applied: Pause the rollout")).toBeTruthy());
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  expect(screen.getByText(/the rollout has ended/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText("Not applied: Pause the rollout")).toBeNull());
});

test("a success after the page is left does not open another page", async () => {
  const { leave } = await renderPage(<Pause />);
  await screen.findByRole("dialog");
  const request = await held();
  await leave();
  request.resolve(Response.json({}));
  await screen.findByText("Paused.");
  expect(onDone).not.toHaveBeenCalled();
});

test("an action can be confirmed when its preview has arrived", async () => {
  const preview = deferred<Response>();
  server.respond = () => preview.promise;
  await renderPage(<Pause previews />);
  await screen.findByRole("dialog");
  await userEvent.click(confirm());
  expect(await screen.findAllByText(/^The preview is still loading/)).not.toHaveLength(0);
  expect(server.sent.map(({ path }) => path)).toEqual(["/v1/ota/rollout-executions/7/pause/preview"]);
  preview.resolve(Response.json(effect));
  await screen.findByText("245");
  server.respond = ({ path }) => Response.json(path.endsWith("preview") ? effect : {});
  await userEvent.click(confirm());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test("an action whose preview failed can be confirmed, and the dialog says that its effect is unknown", async () => {
  server.respond = ({ path }) => (path.endsWith("preview") ? refusal(503, "ClickHouse is unavailable") : Response.json({}));
  await renderPage(<Pause previews />);
  await screen.findByText(/ClickHouse is unavailable/);
  expect(screen.getByText(/You can still confirm, but without knowing/)).toBeTruthy();
  await userEvent.click(confirm());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test("an action whose preview the server refuses cannot be confirmed, and the dialog says why", async () => {
  const fields = [{ field: "updateId", message: "release “stable” (#40) is older; republish it to roll it out" }];
  server.respond = ({ path }) => (path.endsWith("preview") ? refusal(400, "updateId: release “stable” (#40) is older", { errors: fields }) : Response.json({}));
  await renderPage(<Pause previews />);
  await screen.findByText(/^Release “stable” \(#40\) is older/);
  expect(screen.queryByText(/You can still confirm/)).toBeNull();
  await userEvent.click(confirm());
  expect(server.sent.map(({ path }) => path)).toEqual(["/v1/ota/rollout-executions/7/pause/preview"]);
});

test("a repeated request has the same idempotency key, and a request with another reason has a new one", async () => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  server.respond = () => refusal(503, "Temporal is unavailable");
  const send = async (reason: string) => {
    await userEvent.clear(screen.getByLabelText("Reason"));
    await userEvent.type(screen.getByLabelText("Reason"), reason);
    const before = server.sent.length;
    await userEvent.click(confirm());
    await waitFor(() => expect(server.sent).toHaveLength(before + 1));
    await screen.findByText("Temporal is unavailable");
    return server.sent.at(-1)!.key;
  };
  const first = await send("slow");
  expect(await send("slow")).toBe(first);
  const other = await send("crashes");
  expect(other).not.toBe(first);
  expect(await send("slow"), "the first request again").toBe(first);
});

test("a response that is lost may have been an application, and sending the action again has the same key", async () => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  server.respond = () => Promise.reject(new TypeError("Failed to fetch"));
  await userEvent.click(confirm());
  expect((await screen.findByRole("alert")).textContent).toContain("This may have gone through.");
  server.respond = () => Response.json({});
  await userEvent.click(confirm());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.sent[1]?.key).toBe(server.sent[0]?.key);
});

test.each([
  [409, "the rollout has ended"],
  [412, "the rollout has changed since you read it"],
  [428, "the header If-Match is missing"],
])("a refusal with status %i is shown, and the next attempt is another request", async (status, detail) => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  server.respond = () => refusal(status, detail);
  await userEvent.click(confirm());
  expect((await screen.findByRole("alert")).textContent).toContain(detail);
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(confirm());
  await waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent[1]?.key).not.toBe(server.sent[0]?.key);
});

test("when someone else has changed the record, it is loaded again and their change is shown instead of the error", async () => {
  const refetch = vi.fn(() => Promise.resolve());
  await renderPage(<Pause refetch={refetch} overtaken={<p>{"Ada saved first"}</p>} />);
  await screen.findByRole("dialog");
  server.respond = () => refusal(412, "the rollout has changed since you read it");
  await userEvent.click(confirm());
  await waitFor(() => expect(refetch).toHaveBeenCalledOnce());
  await waitFor(() => expect(confirm().getAttribute("aria-busy")).toBeNull());
  expect(screen.getByText("Ada saved first")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an action that waits for an approval closes the dialog, and a message links to the approval", async () => {
  await renderPage(<Pause />);
  await screen.findByRole("dialog");
  server.respond = () => Response.json({ approval: { id: 3, summary: "Pause the rollout" } }, { status: 202 });
  await userEvent.click(confirm());
  expect((await screen.findByRole("link", { name: "Open the approval" })).getAttribute("href")).toBe("/app/acme/approvals/3");
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByText("Paused.")).toBeNull();
});

test("an action is sent only with its reason and with the typed name", async () => {
  await renderPage(<Pause reason="needed" typeName="production" />);
  await screen.findByRole("dialog");
  const reason = screen.getByLabelText<HTMLInputElement>("Reason");
  // Enter in a field submits too.
  await userEvent.type(reason, "{Enter}");
  await userEvent.type(reason, "slow{Enter}");
  await userEvent.type(screen.getByRole("textbox", { name: "Type production to confirm" }), "productio{Enter}");
  await userEvent.click(confirm());
  expect(server.sent).toEqual([]);
  await userEvent.type(screen.getByRole("textbox", { name: "Type production to confirm" }), "n{Enter}");
  await waitFor(() => expect(server.sent.map(({ body }) => body)).toEqual([{ reason: "slow" }]));
});

test("an action that its fields refuse is not sent, and its button says why", async () => {
  await renderPage(<Pause refusal="Choose a release." />);
  await screen.findByRole("dialog");
  await userEvent.click(confirm());
  await userEvent.type(screen.getByLabelText("Reason"), "slow{Enter}");
  expect(confirm().title).toBe("Choose a release.");
  expect(server.sent).toEqual([]);
});

test("a preview that takes too long does not keep the action from being confirmed, and can be asked for again", async () => {
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(timeout.signal);
  server.respond = () => new Promise<Response>((_resolve, reject) => timeout.signal.addEventListener("abort", () => reject(timeout.signal.reason as Error)));
  await renderPage(<Pause previews />);
  await screen.findByRole("dialog");
  await waitFor(() => expect(server.sent).toHaveLength(1));
  expect(confirm().getAttribute("aria-disabled")).toBe("true");
  timeout.abort();
  await screen.findByText(/Waft did not respond within 10 seconds/);
  expect(confirm().getAttribute("aria-disabled")).toBeNull();
  server.respond = () => Response.json(effect);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("245");
});

test("a dialog without a running request closes by Esc", async () => {
  await renderPage(
    <Dialog open onClose={onClose} title="Details">
      {null}
    </Dialog>,
  );
  await screen.findByRole("dialog");
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});
