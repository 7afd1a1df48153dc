import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Table, type Column, type TableProps } from "./Table";
import type { ServerList } from "./useList";

afterEach(cleanup);

// jsdom does not lay out elements, so the virtual list would be empty.
vi.mock("@tanstack/react-virtual", () => ({
  useVirtualizer: ({ count }: { count: number }) => ({
    getVirtualItems: () => Array.from({ length: count }, (_, index) => ({ index, key: index, start: 0 })),
    getTotalSize: () => 0,
    measureElement: () => {},
  }),
}));

interface Row {
  id: number;
  name: string;
  size: number | null;
}

const columns: Column<Row>[] = [
  { id: "title", header: "Title", field: "name", value: (row) => row.name, cell: (row) => row.name },
  { id: "number", header: "Number", value: (row) => row.id, cell: (row) => row.id },
  { id: "size", header: "Size", value: (row) => row.size, cell: (row) => row.size ?? "—" },
];
const rows: Row[] = ["b", "c", "a"].map((name, index) => ({ id: index + 1, name, size: [null, 20, 3][index]! }));

/** Renders a table at an address. Tables keep their filter and their order in it. */
async function show(list?: ServerList, shown = rows, more: Partial<TableProps<Row>> = {}, address = "/") {
  const table = () => (
    <Table label="Rows" rows={shown} columns={columns} rowId={(row) => String(row.id)} filter={{ label: "Filter" }} list={list} empty={<p>{"Nothing yet"}</p>} {...more} />
  );
  const router = createRouter({ routeTree: createRootRoute({ component: table }), history: createMemoryHistory({ initialEntries: [address] }) });
  render(<RouterProvider router={router as never} />);
  await screen.findByText(/ rows?$/);
  return router;
}

const titles = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.firstElementChild?.textContent);

const list = (change: Partial<ServerList> = {}): ServerList => ({ search: "", onSearch: () => {}, sort: "", onSort: () => {}, total: 2_000, ...change });

test("complete rows are sorted and filtered in the browser", async () => {
  await show();
  await waitFor(() => expect(titles()).toEqual(["b", "c", "a"]));
  fireEvent.click(screen.getByRole("button", { name: "Title" }));
  await waitFor(() => expect(titles()).toEqual(["c", "b", "a"]));
  fireEvent.click(screen.getByRole("button", { name: "Title" }));
  await waitFor(() => expect(titles()).toEqual(["a", "b", "c"]));
  fireEvent.change(screen.getByRole("searchbox", { name: "Filter" }), { target: { value: "c" } });
  await waitFor(() => expect(titles()).toEqual(["c"]));
  expect(screen.getByText("1 of 3 rows")).toBeTruthy();
});

test("rows of a list on the server keep its order, and are counted of its total", async () => {
  await show(list({ sort: "-name" }));
  await waitFor(() => expect(titles()).toEqual(["b", "c", "a"]));
  expect(screen.getByText("3 of 2,000 rows")).toBeTruthy();
  expect(screen.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort")).toBe("descending");
});

test("the server is asked to sort by the column's field", async () => {
  const onSort = vi.fn();
  await show(list({ sort: "-name", onSort }));
  fireEvent.click(screen.getByRole("button", { name: "Title" }));
  expect(onSort).toHaveBeenCalledWith("name");
  expect(screen.queryByRole("button", { name: "Number" }), "a column without a field").toBeNull();
});

test("the server is asked to search, and rows that it did not find are not called missing", async () => {
  const onSearch = vi.fn();
  await show(list({ search: "x", onSearch, total: 0 }), []);
  expect(screen.getByText("No row matches the filters.")).toBeTruthy();
  fireEvent.change(screen.getByRole("searchbox", { name: "Filter" }), { target: { value: "xy" } });
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith("xy"));
});

test("an empty list says what to do", async () => {
  await show(list({ total: 0 }), []);
  expect(screen.getByText("Nothing yet")).toBeTruthy();
});

test("numbers are sorted by their value, and unknown ones are last in both directions", async () => {
  await show();
  fireEvent.click(await screen.findByRole("button", { name: "Size" }));
  await waitFor(() => expect(titles()).toEqual(["c", "a", "b"]));
  expect(screen.getByRole("columnheader", { name: "Size" }).getAttribute("aria-sort")).toBe("descending");
  fireEvent.click(screen.getByRole("button", { name: "Size" }));
  await waitFor(() => expect(titles()).toEqual(["a", "c", "b"]));
  expect(screen.getByRole("columnheader", { name: "Size" }).getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort"), "another column").toBe("none");
});

test("the order and the filter are in the address, and a link shows the same rows", async () => {
  const router = await show();
  fireEvent.click(await screen.findByRole("button", { name: "Title" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: "-title" }));
  fireEvent.change(screen.getByRole("searchbox", { name: "Filter" }), { target: { value: "a" } });
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: "-title", q: "a" }));
  cleanup();
  await show(undefined, rows, { sort: "title" }, "/?sort=-title&q=b");
  await waitFor(() => expect(titles()).toEqual(["b"]));
  cleanup();
  await show(undefined, rows, { sort: "title" });
  await waitFor(() => expect(titles()).toEqual(["a", "b", "c"]));
});

test("a table is sorted and loads more rows by keyboard", async () => {
  const onMore = vi.fn();
  await show(undefined, rows, { onMore });
  await screen.findByRole("table");
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Filter" }));
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Title" }));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(titles()).toEqual(["c", "b", "a"]));
  expect(document.activeElement, "the button keeps focus").toBe(screen.getByRole("button", { name: "Title" }));
  for (let step = 0; step < 3; step++) await userEvent.tab();
  await userEvent.keyboard(" ");
  expect(onMore).toHaveBeenCalledOnce();
});

test("a complete list does not offer more rows, and a filter that matches nothing says so", async () => {
  await show();
  await screen.findByRole("table");
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
  fireEvent.change(screen.getByRole("searchbox", { name: "Filter" }), { target: { value: "z" } });
  await screen.findByText("No row matches the filters.");
  expect(screen.getByText("0 of 3 rows")).toBeTruthy();
});

test("a screen reader is told how many rows the whole list has, and the place of each", async () => {
  await show(list());
  expect((await screen.findByRole("table")).getAttribute("aria-rowcount")).toBe("2001");
  expect(screen.getAllByRole("row").map((row) => row.getAttribute("aria-rowindex"))).toEqual(["1", "2", "3", "4"]);
});

test("a cell knows the rows next to it that belong to the same group", async () => {
  const together: Column<Row>[] = [{ id: "title", header: "Title", cell: (row, group) => `${row.name} of ${group.map(({ name }) => name).join("")}` }];
  await show(list(), ["a1", "a2", "b1", "a3"].map((name, id) => ({ id, name, size: null })), { columns: together, groupOf: ({ name }) => name.charAt(0) });
  await waitFor(() => expect(titles()).toEqual(["a1 of a1a2", "a2 of a1a2", "b1 of b1", "a3 of a3"]));
});
