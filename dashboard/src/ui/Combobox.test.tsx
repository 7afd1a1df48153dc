import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ProjectProvider } from "@/api/project";
import { Combobox } from "./Combobox";

const asked: URLSearchParams[] = [];
const branches = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, name: `branch-${index + 1}`, createdAt: "2026-01-01T00:00:00Z", latestUpdates: [] }));

// The field is loaded after the page.
beforeAll(() => import("./ComboboxField"));

beforeEach(() => {
  vi.stubGlobal("fetch", async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const found = branches.filter(({ name }) => name.startsWith(query.get("search") ?? ""));
    return Response.json(found.slice(0, 5), { headers: { "X-Total-Count": String(found.length) } });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.length = 0;
});

function Chooser({ onChange = () => {} }: { onChange?: (value: string, id: number | undefined) => void }) {
  const [value, setValue] = useState("");
  return (
    <ProjectProvider slug="demo" name="Demo" role="editor">
      <Combobox
        of="branch"
        label="Branch"
        none="Any branch"
        except={["branch-2"]}
        value={value}
        onChange={(next, record) => {
          setValue(next);
          onChange(next, record?.id);
        }}
      />
    </ProjectProvider>
  );
}

const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Branch" });

async function show(onChange: (value: string, id: number | undefined) => void) {
  render(<Chooser onChange={onChange} />);
  await screen.findByRole("combobox", { name: "Branch" });
}

test("a record far behind the first ones is found by typing", async () => {
  const chosen = vi.fn();
  await show(chosen);
  expect(field().value).toBe("Any branch");
  expect(asked).toEqual([]);
  await userEvent.click(field());
  expect(await screen.findByText("4 of 2,000. Type to search the others.")).toBeTruthy();
  expect(screen.queryByRole("option", { name: "branch-2" })).toBeNull();
  fireEvent.change(field(), { target: { value: "branch-1700" } });
  await userEvent.click(await screen.findByRole("option", { name: "branch-1700" }));
  expect(chosen).toHaveBeenLastCalledWith("branch-1700", 1_700);
  expect(field().value).toBe("branch-1700");
  expect(asked.at(-1)!.get("search")).toBe("branch-1700");
});

test("Enter before the server has found the typed text does not choose another record or send the form", async () => {
  const chosen = vi.fn();
  const sent = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  render(
    <form onSubmit={sent}>
      <Chooser onChange={chosen} />
      <input type="submit" />
    </form>,
  );
  await userEvent.click(await screen.findByRole("combobox", { name: "Branch" }));
  await screen.findByRole("option", { name: "branch-1" });
  const answer = fetch;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  vi.stubGlobal("fetch", async (request: Request) => (await held, answer(request)));
  await userEvent.clear(field());
  await userEvent.keyboard("branch-1700{Enter}");
  expect(chosen).not.toHaveBeenCalled();
  expect(sent).not.toHaveBeenCalled();
  expect(field().value).toBe("branch-1700");
  release();
  await screen.findByRole("option", { name: "branch-1700" });
  await userEvent.keyboard("{Enter}");
  expect(chosen).toHaveBeenLastCalledWith("branch-1700", 1_700);
  expect(sent).not.toHaveBeenCalled();
});

test("the choice without a record comes back", async () => {
  const chosen = vi.fn();
  await show(chosen);
  await userEvent.click(field());
  await userEvent.click(await screen.findByRole("option", { name: "branch-1" }));
  await userEvent.click(field());
  await userEvent.click(await screen.findByRole("option", { name: "Any branch" }));
  expect(chosen).toHaveBeenLastCalledWith("", undefined);
});

test("Escape on a closed list keeps the value, and reaches the dialog around the field", async () => {
  const chosen = vi.fn();
  const pressed = vi.fn();
  render(
    <div onKeyDown={(event) => pressed(event.key)}>
      <Chooser onChange={chosen} />
    </div>,
  );
  await screen.findByRole("combobox", { name: "Branch" });
  field().focus();
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(pressed).toHaveBeenCalledWith("Escape");
  expect(field().value).toBe("Any branch");
  expect(chosen).not.toHaveBeenCalled();
});

test("a text that no record has is kept apart from the value", async () => {
  const chosen = vi.fn();
  await show(chosen);
  await userEvent.click(field());
  fireEvent.change(field(), { target: { value: "nothing" } });
  expect(await screen.findByText("No record matches.")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  await userEvent.tab();
  await waitFor(() => expect(field().value).toBe("Any branch"));
  expect(chosen).not.toHaveBeenCalled();
});
