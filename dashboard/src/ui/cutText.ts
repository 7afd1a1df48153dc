/** The number of elements above the pointer that are checked: the text's own element and what it is part of. */
const levels = 3;

/** Gives a text that is cut off a tooltip with the whole text, when the pointer enters it. Returns a function that stops it. */
export function explainCutTexts(): () => void {
  const onEnter = ({ target }: Event) => {
    let element = target instanceof HTMLElement ? target : null;
    for (let level = 0; element && level < levels; level++, element = element.parentElement) explain(element);
  };
  document.addEventListener("pointerover", onEnter);
  return () => document.removeEventListener("pointerover", onEnter);
}

/** Sets the tooltip of a cut text, and removes it when the text fits again. A tooltip of the page itself stays. */
function explain(element: HTMLElement) {
  const isOurs = element.dataset.cut !== undefined;
  if (element.title && !isOurs) return;
  if (isCut(element)) {
    element.title = element.textContent.trim();
    element.dataset.cut = "";
  } else if (isOurs) {
    element.removeAttribute("title");
    delete element.dataset.cut;
  }
}

/** Reports whether the element ends its text with an ellipsis. */
function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth) return true;
  return webkitLineClamp !== "none" && webkitLineClamp !== "" && element.scrollHeight > element.clientHeight;
}
