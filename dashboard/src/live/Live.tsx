import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { connection, watchConnection } from "@/api/connection";
import { askAgain } from "@/api/pages";
import { useProject } from "@/api/project";
import { followProject } from "./follow";
import { isAbout, telemetryPaths } from "./resources";
import type { Change } from "./stream";

const telemetryInterval = 15_000;

// A login replaces the session of the browser: its event may come before the new cookie.
const peopleDelay = 1_000;

/** Whether a change may be about what the person here may do: their session, their membership, the project as such. */
function isAboutPeople({ type, resource, action }: Change): boolean {
  return type === "reset" || action === "session.revoked" || resource === "members" || action.startsWith("project.");
}

/**
 * Keeps the queries of the project current: by its stream of changes, and telemetry by the clock. `onPeople` is called
 * when something changed that may be about the person here, or that is not known.
 */
export function Live({ onPeople }: { onPeople: () => void }) {
  const { slug } = useProject();
  const queries = useQueryClient();
  const told = useRef(onPeople);
  useEffect(() => {
    told.current = onPeople;
  });
  useEffect(() => {
    let people: ReturnType<typeof setTimeout> | undefined;
    const askForPeople = () => {
      clearTimeout(people);
      people = setTimeout(() => told.current(), peopleDelay);
    };
    const stop = followProject(slug, (event) => {
      if (event.type === "reset") void askAll(queries);
      else void askAgain(queries, (query) => isAbout(String(query.queryKey[1]), event.resource));
      if (isAboutPeople(event)) askForPeople();
    });
    // Nobody told what changed between the answer to who the person is and now.
    askForPeople();
    const poll = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      void askAgain(queries, (query) => telemetryPaths.some((path) => String(query.queryKey[1]).startsWith(path)));
    }, telemetryInterval);
    const back = () => void askAgain(queries, () => true);
    addEventListener("waft-back", back);
    let before = connection();
    const unwatch = watchConnection(() => {
      const now = connection();
      // Each panel then says whether its data can still be had.
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

/** Asks for all data again. What is under way is shown first, and then asked again: it may be of the time before. */
async function askAll(queries: QueryClient) {
  const underWay = new Set(queries.getQueryCache().findAll({ fetchStatus: "fetching" }));
  await askAgain(queries, () => true, { cancelRefetch: false });
  await askAgain(queries, (query) => underWay.has(query));
}
