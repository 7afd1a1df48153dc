// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainCutTexts } from "./cutText";

let stop: () => void;
beforeEach(() => {
  stop = explainCutTexts();
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** Adds a text of the width in a box of 100 pixels. */
function text(width: number, title = "") {
  const element = document.createElement("p");
  element.style.textOverflow = "ellipsis";
  element.textContent = "Groceries of the southern regions";
  if (title) element.title = title;
  Object.defineProperties(element, { scrollWidth: { configurable: true, value: width }, clientWidth: { value: 100 } });
  document.body.append(element);
  return element;
}

const enter = (element: HTMLElement) => element.dispatchEvent(new Event("pointerover", { bubbles: true }));

test("a cut text has its whole text as a tooltip while it is cut", () => {
  const cut = text(300);
  enter(cut);
  expect(cut.title).toBe("Groceries of the southern regions");
  Object.defineProperty(cut, "scrollWidth", { value: 100 });
  enter(cut);
  expect(cut.title).toBe("");
});

test("a text that fits has no tooltip, and a tooltip of the page stays", () => {
  const fits = text(80);
  enter(fits);
  expect(fits.hasAttribute("title")).toBe(false);
  const own = text(300, "Since Monday");
  enter(own);
  expect(own.title).toBe("Since Monday");
});
