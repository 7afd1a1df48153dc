import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connection, watchConnection } from "@/api/connection";
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
      void queries.invalidateQueries({
        predicate: (query) => event.type === "reset" || isAbout(String(query.queryKey[1]), event.resource),
      });
    });
    const poll = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      void queries.invalidateQueries({ predicate: (query) => telemetryPaths.some((path) => String(query.queryKey[1]).startsWith(path)) });
    }, telemetryInterval);
    const back = () => void queries.invalidateQueries();
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
      clearInterval(poll);
      removeEventListener("waft-back", back);
    };
  }, [slug, queries]);
  return null;
}
