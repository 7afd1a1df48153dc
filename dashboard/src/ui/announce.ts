let region: HTMLElement | null = null;

/** Sets the aria-live element that announcements are written to; the shell does. */
export function setAnnouncer(element: HTMLElement | null) {
  region = element;
}

/** Has a screen reader say the text. */
export function announce(text: string) {
  if (!region) return;
  region.textContent = "";
  // In a task of its own, or an equal text is not said again.
  setTimeout(() => {
    if (region) region.textContent = text;
  }, 30);
}
