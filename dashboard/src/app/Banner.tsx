import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { connection, probe, watchConnection, whatIsAway } from "@/api/connection";
import { strings } from "@/strings";
import { toast } from "@/ui/toast";

/** How often the banner checks the server, in milliseconds: while everything is available, and while something is not. */
const interval = { ok: 5_000, away: 1_000 };

/** The time after which a page that was just opened checks the server, in milliseconds. Its own requests come first. */
const first = 500;

/** Shows that Waft or one of its engines is unavailable and what still works, and checks until it is back. */
export function Banner() {
  const state = useSyncExternalStore(watchConnection, connection);
  const away = useSyncExternalStore(watchConnection, whatIsAway);
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (state === "ok" && wasAway.current) {
      wasAway.current = false;
      toast({ title: strings.banner.back });
      void queries.invalidateQueries();
      dispatchEvent(new Event("waft-back"));
    }
    wasAway.current = state !== "ok";
    const timer = setInterval(
      () => {
        if (state !== "ok" || document.visibilityState === "visible") void probe();
      },
      state === "ok" ? interval.ok : interval.away,
    );
    return () => clearInterval(timer);
  }, [state, queries]);
  useEffect(() => {
    const timer = setTimeout(() => void probe(), first);
    return () => clearTimeout(timer);
  }, []);
  if (state === "ok") return null;
  return (
    <div role="alert" className="sticky top-0 z-30 flex items-start gap-2 border-b bg-warn-soft px-4 py-2 text-warn">
      <CloudOff size={16} aria-hidden className="mt-0.5 shrink-0" />
      <p>{state === "silent" ? strings.banner.silent : (strings.banner.away[away] ?? strings.banner.partial)}</p>
    </div>
  );
}
