import type { Toast } from "@base-ui/react/toast";

export interface Message {
  title: string;
  text?: string;
  tone?: "plain" | "bad";
  /** An address of the dashboard. `link` is the text of its link. */
  href?: string;
  link?: string;
}

type Manager = ReturnType<typeof Toast.createToastManager<Message>>;

/** Tells `toast` that the page shows the manager's messages. They are loaded after the page. */
let showsToasts: (manager: Manager) => void = () => {};
const shown = new Promise<Manager>((resolve) => {
  showsToasts = resolve;
});
export { showsToasts };

/** Shows a message at the edge of the page for some seconds. An error message stays until it is closed. */
export function toast(message: Message) {
  const { title, text: description, tone, href } = message;
  const timeout = tone === "bad" ? 0 : href ? 15_000 : 6_000;
  void shown.then((manager) => manager.add({ title, description, timeout, data: message }));
}
