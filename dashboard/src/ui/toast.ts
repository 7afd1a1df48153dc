export interface Toast {
  id: number;
  title: string;
  text?: string;
  tone?: "plain" | "bad";
  /** An address of the dashboard. `link` is the text of its link. */
  href?: string;
  link?: string;
}

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]) {
  toasts = next;
  listeners.forEach((listener) => listener());
}

/** Shows a message at the edge of the page for some seconds. An error message stays until it is closed. */
export function toast(message: Omit<Toast, "id">) {
  const id = ++last;
  set([...toasts.slice(-3), { ...message, id }]);
  if (message.tone !== "bad") setTimeout(() => closeToast(id), message.href ? 15_000 : 6_000);
}

export function closeToast(id: number) {
  set(toasts.filter((each) => each.id !== id));
}

export function currentToasts(): Toast[] {
  return toasts;
}

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
