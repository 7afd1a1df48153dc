/** How long after an input requests are taken to be caused by it, in milliseconds: what a person does may load a page and its data. */
const causedFor = 5_000;

/** Inputs of a person. To come back to the tab is one, because its data is asked for again. */
const inputs = ["pointerdown", "keydown", "wheel", "touchmove", "focus"] as const;

// A person has opened the page.
let lastInput = performance.now();

for (const input of inputs) {
  // The focus of an element may be set by a script, the focus of the window is not.
  addEventListener(input, () => (lastInput = performance.now()), { capture: input !== "focus", passive: true });
}

/** The header by which the server knows that no person caused a request, so that the request does not extend the session. */
export const backgroundHeader = "Waft-Background";

/** Whether a request that is sent now has no person as its cause: timers and the stream of changes ask for data, too. */
export function isBackground(): boolean {
  return performance.now() - lastInput > causedFor;
}
