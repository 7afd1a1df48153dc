import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { connection, probe, watchConnection } from "@/api/connection";
import { strings } from "@/strings";
import { toast } from "@/ui/toast";

/** Says that Waft or an engine of it is away and what still works, and asks until it is back. */
export function Banner() {
  const state = useSyncExternalStore(watchConnection, connection);
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (state === "ok") {
      if (wasAway.current) {
        wasAway.current = false;
        toast({ title: strings.banner.back });
        void queries.invalidateQueries();
        dispatchEvent(new Event("waft-back"));
      }
      return;
    }
    wasAway.current = true;
    const timer = setInterval(() => void probe(), 2_000);
    return () => clearInterval(timer);
  }, [state, queries]);
  if (state === "ok") return null;
  return (
    <div role="alert" className="sticky top-0 z-30 flex items-start gap-2 border-b bg-warn-soft px-4 py-2 text-warn">
      <CloudOff size={16} aria-hidden className="mt-0.5 shrink-0" />
      <p>{state === "silent" ? strings.banner.silent : strings.banner.partial}</p>
    </div>
  );
}
