import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useProject } from "@/api/project";
import { followProject } from "./follow";
import { isAbout, telemetryPaths } from "./resources";

const telemetryInterval = 15_000;

/** Keeps the queries of the project current: by its stream of changes, and telemetry by the clock. */
export function Live() {
  const { slug } = useProject();
  const queries = useQueryClient();
  useEffect(() => {
    const stop = followProject(slug, (event) => {
      if (event.type === "reset") void askAgain(queries);
      else void queries.invalidateQueries({ predicate: (query) => isAbout(String(query.queryKey[1]), event.resource) });
    });
    const poll = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      void queries.invalidateQueries({ predicate: (query) => telemetryPaths.some((path) => String(query.queryKey[1]).startsWith(path)) });
    }, telemetryInterval);
    const back = () => void queries.invalidateQueries();
    addEventListener("waft-back", back);
    return () => {
      stop();
      clearInterval(poll);
      removeEventListener("waft-back", back);
    };
  }, [slug, queries]);
  return null;
}

/** Asks for all data again. What is under way is shown first, and then asked again: it may be of the time before. */
async function askAgain(queries: QueryClient) {
  const underWay = new Set(queries.getQueryCache().findAll({ fetchStatus: "fetching" }));
  await queries.invalidateQueries({}, { cancelRefetch: false });
  await queries.invalidateQueries({ predicate: (query) => underWay.has(query) });
}
