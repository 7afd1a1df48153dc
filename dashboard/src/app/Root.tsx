import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef } from "react";
import { strings } from "@/strings";
import { announce, setAnnouncer } from "@/ui/announce";
import { Toasts } from "@/ui/Toasts";
import { Banner } from "./Banner";
import { Reauthentication } from "./Reauthentication";
import { listenForShortcuts } from "./shortcuts";

/** Around everything: what is said to screen readers, messages, the banner, keyboard. */
export function Root() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const first = useRef(true);
  // Keys work from the moment that the page is seen.
  useLayoutEffect(listenForShortcuts, []);
  useEffect(() => {
    // After navigation, as after loading a page: its title is said, and the keyboard starts at the content.
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => {
      announce(document.title);
      // A dialog that was opened meanwhile has the keyboard.
      if (!document.querySelector('[role="dialog"]')) document.getElementById("content")?.focus({ preventScroll: true });
    }, 60);
    return () => clearTimeout(timer);
  }, [path]);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {strings.nav.skip}
      </a>
      <Banner />
      <Outlet />
      <Toasts />
      <Reauthentication />
      <div ref={setAnnouncer} aria-live="polite" className="sr-only" />
    </>
  );
}
