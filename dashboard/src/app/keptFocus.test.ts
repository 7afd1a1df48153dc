// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepFocus } from "./keptFocus";

let stop = () => {};

beforeEach(() => {
  document.body.innerHTML = `
    <main id="content" tabindex="-1">
      <button id="add">New webhook</button>
      <ul><li id="one"><button>Delete one</button></li><li id="two"><button>Delete two</button></li><li id="three"><button>Delete three</button></li></ul>
    </main>`;
  stop = keepFocus();
});

afterEach(() => stop());

const button = (id: string) => document.querySelector<HTMLElement>(`#${id} button`)!;
const focused = () => document.activeElement?.textContent.trim();

it("moves to the next row when a row with focus is removed, and to the previous one after the last", async () => {
  button("two").focus();
  document.getElementById("two")!.remove();
  await vi.waitFor(() => expect(focused()).toBe("Delete three"));
  document.getElementById("three")!.remove();
  await vi.waitFor(() => expect(focused()).toBe("Delete one"));
});

it("moves to what is left of the page when the whole list is removed", async () => {
  button("one").focus();
  document.querySelector("ul")!.remove();
  await vi.waitFor(() => expect(focused()).toBe("New webhook"));
  document.getElementById("content")!.replaceChildren();
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("content"));
});

it("stays in an open dialog, even if the dialog takes focus itself", async () => {
  document.body.insertAdjacentHTML("beforeend", `<div role="dialog" tabindex="-1"><p><button>Close</button></p><p id="value"><button>Remove the value</button></p></div>`);
  button("value").focus();
  document.getElementById("value")!.remove();
  document.querySelector<HTMLElement>('[role="dialog"]')!.focus();
  await vi.waitFor(() => expect(focused()).toBe("Close"));
});

it("leaves focus where the page puts it", async () => {
  button("two").focus();
  document.getElementById("two")!.remove();
  document.getElementById("add")!.focus();
  document.body.append(document.createElement("p"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(focused()).toBe("New webhook");
});
