const focusable = "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']";

/** How long the page may take to focus something else after it removed the focused element, in milliseconds. */
const patience = 100;

/** An element around the focused one, with its neighbors before it was removed. */
interface Place {
  element: Element;
  next: Element | null;
  previous: Element | null;
}

/**
 * Keeps the place of the keyboard when the page removes the focused element, such as the button of a deleted row. Without it, a screen
 * reader would start at the top of the page. Returns a function that ends it.
 */
export function keepFocus(): () => void {
  let places: Place[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isRemoved = () => places[0]?.element.isConnected === false;
  const onFocus = ({ target }: FocusEvent) => {
    // A dialog takes focus itself when one of its elements is removed.
    if (isRemoved() && isDialog(target as Element)) return;
    places = [];
    for (let element = target as Element | null; element && element !== document.body; element = element.parentElement) {
      places.push({ element, next: element.nextElementSibling, previous: element.previousElementSibling });
    }
  };
  const isLost = () => isRemoved() && (document.activeElement === document.body || isDialog(document.activeElement));
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isLost()) nearest(places)?.focus({ preventScroll: true });
    }, patience);
  });
  document.addEventListener("focusin", onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

const isDialog = (element: Element | null) => element?.getAttribute("role") === "dialog";

/**
 * Returns what gets focus instead of a removed element: in its neighbor, otherwise around it, otherwise the content of the page. An open
 * dialog or menu keeps focus to itself, so it returns null for an element outside of it.
 */
function nearest(places: Place[]): HTMLElement | null {
  const over = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].at(-1);
  for (const { next, previous, element } of places) {
    if (element === over || element.id === "content") break;
    for (const each of [next, previous, element]) {
      const found = each?.isConnected && (each.matches(focusable) ? each : each.querySelector(focusable));
      if (found) return found as HTMLElement;
    }
  }
  if (over) return places.some(({ element }) => element === over) ? over.querySelector<HTMLElement>(focusable) : null;
  return document.getElementById("content");
}
