/** For how many milliseconds after an input a request counts as caused by it. An action may load a page and then its data. */
const causedFor = 5_000;

/** Inputs of a person. Returning to the tab counts too, because the tab then reloads its data. */
const inputs = ["pointerdown", "keydown", "wheel", "touchmove", "focus"] as const;

// Opening the page counts as an input.
let lastInput = performance.now();

for (const input of inputs) {
  // A script may focus an element, but not the window, so only the window's focus event counts.
  addEventListener(input, () => (lastInput = performance.now()), { capture: input !== "focus", passive: true });
}

/** The header that marks a request that no person caused. Such a request does not extend the session. */
export const backgroundHeader = "Waft-Background";

/** Reports whether a request sent now is caused by a timer or the event stream rather than by a person. */
export function isBackground(): boolean {
  return performance.now() - lastInput > causedFor;
}
