import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { connection, watchConnection } from "@/api/connection";
import { askAgain } from "@/api/pages";
import { useProject } from "@/api/project";
import { noteSession } from "@/api/reauthentication";
import { followProject } from "./follow";
import { isAbout, telemetryPaths } from "./resources";
import { setLiveState } from "./state";
import type { Change } from "./stream";

const telemetryInterval = 15_000;

// A sign-in replaces the browser's session, and the event about the old session may arrive before the new cookie.
const peopleDelay = 1_000;

/** Reports whether a change may affect the signed-in person's access: their session, their membership, or the project itself. */
function isAboutPeople({ type, resource, action }: Change): boolean {
  return type === "reset" || action === "session.revoked" || resource === "members" || action.startsWith("project.");
}

/**
 * Keeps the project's queries up to date: by the event stream, and for telemetry by polling. Calls `onPeople` when a change may
 * affect the signed-in person's access, or when changes may have been missed. `position` is the server's position when the page
 * began to load.
 */
export function Live({ position, onPeople }: { position: string; onPeople: () => void }) {
  const { slug } = useProject();
  const queries = useQueryClient();
  const told = useRef(onPeople);
  // The stream begins at the first position. Later ones belong to later responses about the signed-in person.
  const begin = useRef(position);
  useEffect(() => {
    told.current = onPeople;
  });
  useEffect(() => {
    let people: ReturnType<typeof setTimeout> | undefined;
    const askForPeople = () => {
      clearTimeout(people);
      people = setTimeout(() => told.current(), peopleDelay);
    };
    const stop = followProject({
      project: slug,
      position: begin.current,
      onState: setLiveState,
      onChange: (event) => {
        // There may be a session again.
        if (event.type === "reset") noteSession();
        if (event.type === "reset") void askAll(queries);
        else void askAgain(queries, (query) => isAbout(String(query.queryKey[1]), event.resource));
        if (isAboutPeople(event)) askForPeople();
      },
    });
    const poll = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      void askAgain(queries, (query) => telemetryPaths.some((path) => String(query.queryKey[1]).startsWith(path)));
    }, telemetryInterval);
    const back = () => void askAgain(queries, () => true);
    addEventListener("waft-back", back);
    let before = connection();
    const unwatch = watchConnection(() => {
      const now = connection();
      // Refetch, so that panels whose data is unavailable show it.
      if (now === "partial" && before !== "partial") back();
      before = now;
    });
    return () => {
      unwatch();
      stop();
      clearTimeout(people);
      clearInterval(poll);
      removeEventListener("waft-back", back);
    };
  }, [slug, queries]);
  return null;
}

/** Refetches all data. Requests that are already running finish first and are then repeated, because they may return old data. */
async function askAll(queries: QueryClient) {
  const underWay = new Set(queries.getQueryCache().findAll({ fetchStatus: "fetching" }));
  await askAgain(queries, () => true, { cancelRefetch: false });
  await askAgain(queries, (query) => underWay.has(query));
}
