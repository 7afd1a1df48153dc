let region: HTMLElement | null = null;

/** Sets the aria-live element that announcements are written to. */
export function setAnnouncer(element: HTMLElement | null) {
  region = element;
}

/** Lets screen readers announce the text. */
export function announce(text: string) {
  if (!region) return;
  region.textContent = "";
  // Set the text in a separate task, because otherwise the same text is not announced again.
  setTimeout(() => {
    if (region) region.textContent = text;
  }, 30);
}
