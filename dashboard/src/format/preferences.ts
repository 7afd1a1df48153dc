import { useSyncExternalStore } from "react";

/** Preferences that a person chose in this browser. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  zone: "local" | "utc";
  /** Whether shortcuts of single characters work. Shortcuts with Ctrl or ⌘ always do. */
  shortcuts: "on" | "off";
}

const name = "waft-preferences";
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  let stored: Partial<Preferences> = {};
  try {
    stored = JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Preferences>;
  } catch {
    // The storage is unreadable or blocked, so the defaults apply.
  }
  return {
    theme: stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system",
    zone: stored.zone === "utc" ? "utc" : "local",
    shortcuts: stored.shortcuts === "off" ? "off" : "on",
  };
}

function changed() {
  applyTheme();
  listeners.forEach((listener) => listener());
}

/** Sets the page's theme. Without a theme on the root element, styles follow the system. */
export function applyTheme() {
  if (current.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current.theme;
}

export function setPreferences(change: Partial<Preferences>) {
  current = { ...current, ...change };
  try {
    localStorage.setItem(name, JSON.stringify(current));
  } catch {
    // The storage is blocked, so the choice applies only until the page is closed.
  }
  changed();
}

export function preferences(): Preferences {
  return current;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, preferences);
}

addEventListener("storage", (event) => {
  if (event.key !== name) return;
  current = read();
  changed();
});

/** Reports whether the page is dark at the moment. */
export function isDark(): boolean {
  if (current.theme !== "system") return current.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Calls the listener when the page turns dark or light. */
export function watchDark(listener: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", listener);
  listeners.add(listener);
  return () => {
    media.removeEventListener("change", listener);
    listeners.delete(listener);
  };
}
