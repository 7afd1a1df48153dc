import { useLayoutEffect, useSyncExternalStore } from "react";
import { preferences } from "@/format/preferences";

export interface Shortcut {
  /** Keys in order, such as `g r`, or one key such as `?`. */
  keys: string;
  label: string;
  run: () => void;
}

/** A command in the palette: its label and its action. */
export interface PaletteCommand {
  id: string;
  label: string;
  run: () => void;
}

let shortcuts: Shortcut[] = [];
let commands: PaletteCommand[] = [];
const listeners = new Set<() => void>();

function changed() {
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds shortcuts while the component is shown, and lists them in the help. The array must be stable. */
export function useShortcuts(added: Shortcut[]) {
  useLayoutEffect(() => {
    shortcuts = [...shortcuts, ...added];
    changed();
    return () => {
      shortcuts = shortcuts.filter((each) => !added.includes(each));
      changed();
    };
  }, [added]);
}

// The command that runs as soon as its page is shown, and until when.
let awaited: { label: string; until: number } | null = null;

/** For how many milliseconds a page may load until a command of it no longer runs. */
const loadTime = 10_000;

/** Runs a command of the page that is being opened, once the page is shown. */
export function runWhenShown(label: string) {
  awaited = { label, until: Date.now() + loadTime };
}

/** Adds commands to the palette while the component is shown. The array must be stable. */
export function usePaletteCommands(added: PaletteCommand[]) {
  useLayoutEffect(() => {
    commands = [...commands, ...added];
    changed();
    const wanted = awaited && Date.now() < awaited.until && added.find((each) => each.label === awaited?.label);
    if (wanted) {
      awaited = null;
      // The page's effects run first.
      setTimeout(wanted.run);
    }
    return () => {
      commands = commands.filter((each) => !added.includes(each));
      changed();
    };
  }, [added]);
}

export function useRegistered(): { shortcuts: Shortcut[]; commands: PaletteCommand[] } {
  return {
    shortcuts: useSyncExternalStore(subscribe, () => shortcuts),
    commands: useSyncExternalStore(subscribe, () => commands),
  };
}

let typed = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Runs the shortcut for the pressed keys, unless shortcuts are turned off, a field has focus or a dialog is open. */
export function listenForShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (preferences().shortcuts === "off" || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (document.querySelector('[role="dialog"]')) return;
    clearTimeout(timer);
    timer = setTimeout(() => (typed = ""), 900);
    typed = typed ? `${typed} ${event.key}` : event.key;
    const match = shortcuts.find((each) => each.keys === typed) ?? shortcuts.find((each) => each.keys === event.key);
    if (match) {
      typed = "";
      event.preventDefault();
      match.run();
    }
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
