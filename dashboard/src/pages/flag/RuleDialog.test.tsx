import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";
import { fakeServer, renderPage } from "@/testing/page";
import { Channels } from "./Channels";
import { draftOf, newRule, type Flag } from "./draft";
import RuleDialog from "./RuleDialog";
import { useSegments } from "./useSegments";

let server: ReturnType<typeof fakeServer>;

// These parts are loaded after the page.
beforeAll(() => Promise.all([import("@/ui/ComboboxField"), import("@/ui/DialogPopup"), import("./CopyDialog")]));

/** Returns the records of a list of 2,000 that a request asks for. */
function found(noun: string, query: URLSearchParams): Response {
  const keys = Array.from({ length: 2_000 }, (_, index) => `${noun}-${index + 1}`).filter((key) => key.startsWith(query.get("search") ?? ""));
  const rows = keys.slice(0, Number(query.get("limit"))).map((key) => ({ key, name: noun === "channel" ? key : `Name of ${key}` }));
  return Response.json(rows, { headers: { "X-Total-Count": String(keys.length) } });
}

beforeEach(() => {
  server = fakeServer();
  server.respond = ({ path, query }) =>
    path === "/v1/ota/segments" ? found("segment", query) : path === "/v1/ota/channels" ? found("channel", query) : Response.json({ devices: 0, devicesAffected: 0, moves: [], warnings: [], neededApprovals: [] });
});

afterEach(() => server.close());

const draft = draftOf({
  flagType: "string",
  name: "Theme",
  description: "",
  enabled: true,
  defaultValue: "plain",
  variations: [{ id: 1, name: "Dark", value: "dark" }],
  rules: [],
  environments: [
    { channelName: "production", enabled: true, isEnabledInherited: true, defaultValue: "plain", isDefaultInherited: true },
    { channelName: "channel-1700", enabled: true, isEnabledInherited: true, defaultValue: "plain", isDefaultInherited: true },
  ],
} as unknown as Flag);

async function choose(field: string, text: string, option: string) {
  const input = await screen.findByRole("combobox", { name: field });
  // An opened dialog takes the focus some time later. Until then, it would take the focus from the field, and miss typed letters.
  await waitFor(() => expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true));
  await userEvent.clear(input);
  await userEvent.type(input, text);
  await userEvent.click(await screen.findByRole("option", { name: option }));
}

test("a rule is about a segment and a channel far behind the first ones, which are found by typing", async () => {
  const taken = vi.fn();
  await renderPage(<RuleDialog rule={newRule("segment", "dark")} draft={draft} segments={[]} onTake={taken} onClose={() => {}} />);
  await choose("Segment", "segment-1700", "Name of segment-1700 segment-1700");
  await choose("On", "channel-1700", "channel-1700");
  await userEvent.click(screen.getByRole("button", { name: "Add rule" }));
  await waitFor(() => expect(taken).toHaveBeenCalledWith(expect.objectContaining({ segmentKey: "segment-1700", channelName: "channel-1700" })));
});

test("a split says what the rest gets: the default after the last rule, otherwise the next rule", async () => {
  const split = { ...newRule("percentage_rollout", "dark"), shares: [{ value: "dark", weight: "10" }] };
  const { leave } = await renderPage(<RuleDialog rule={split} draft={draft} segments={[]} onTake={() => {}} onClose={() => {}} />);
  await screen.findByText("10% of devices get Dark; 90% get the default.");
  await screen.findByText("10% in total; 90% get the default.");
  await leave();
  cleanup();
  await renderPage(<RuleDialog rule={split} draft={{ ...draft, rules: [split, newRule("attribute", "dark")] }} segments={[]} onTake={() => {}} onClose={() => {}} />);
  await screen.findByText("10% of devices get Dark; 90% continue to the next rule.");
  await screen.findByText("10% in total; 90% continue to the next rule.");
});

function Names() {
  const segments: Schemas["Segment"][] = useSegments(["segment-3", "segment-1700"]);
  return <p>{segments.find(({ key }) => key === "segment-1700")?.name}</p>;
}

test("a segment of a rule has its name, even if the first page of segments does not contain it", async () => {
  await renderPage(<Names />);
  await screen.findByText("Name of segment-1700");
  const searched = server.sent.filter(({ path }) => path === "/v1/ota/segments").map(({ query }) => query.get("search"));
  expect(searched).toEqual([null, "segment-1700"]);
});

test("a channel's settings are copied to any channel", async () => {
  await renderPage(<Channels flagId={4} draft={draft} onChange={() => {}} disabled={false} copyRefusal={null} />);
  await userEvent.click(screen.getByRole("button", { name: "Copy production to another channel" }));
  await choose("To channel", "channel-1900", "channel-1900");
  const copy = await screen.findByRole("button", { name: "Copy" });
  // The button waits for the preview.
  await waitFor(() => expect(copy.getAttribute("aria-disabled")).not.toBe("true"));
  expect(server.sent.some(({ path }) => path === "/v1/ota/flags/4/copy/preview")).toBe(true);
  await userEvent.click(copy);
  await waitFor(() => expect(server.sent.find(({ path }) => path === "/v1/ota/flags/4/copy")).toMatchObject({ body: { fromChannel: "production", toChannel: "channel-1900" } }));
});
