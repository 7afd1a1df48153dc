import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { strings } from "@/strings";
import { announce, setAnnouncer } from "@/ui/announce";
import { explainCutTexts } from "@/ui/cutText";
import { loadCode } from "@/ui/loadCode";
import { Banner } from "./Banner";
import { keepFocus } from "./keptFocus";
import { Reauthentication } from "./Reauthentication";
import { listenForShortcuts } from "./shortcuts";

const Toasts = lazy(() => loadCode(() => import("@/ui/Toasts")));

/** The frame around all pages: the skip link, banner, toasts, shortcuts, and announcements for screen readers. */
export function Root() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const first = useRef(true);
  // A layout effect, so that shortcuts work as soon as the page is visible.
  useLayoutEffect(listenForShortcuts, []);
  useEffect(explainCutTexts, []);
  useEffect(keepFocus, []);
  useEffect(() => {
    // After a navigation, announce the title and move focus to the content, as a browser does after loading a page.
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => {
      announce(document.title);
      // Leave focus in a dialog that was opened in the meantime.
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
      <Suspense>
        <Toasts />
      </Suspense>
      <Reauthentication />
      <div ref={setAnnouncer} aria-live="polite" className="sr-only" />
    </>
  );
}
