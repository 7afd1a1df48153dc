import type { ApiClient } from "@/api/client";

/** Opens the page that sent the person to sign in, or the list of projects. Only follows addresses of the dashboard. */
export function leave() {
  location.assign(nextAddress(new URLSearchParams(location.search).get("next")));
}

/** Opens the person's only project, or the list of projects. */
export async function enter(client: ApiClient) {
  const projects = await client.GET("/v1/me").then(
    ({ data }) => data?.projects ?? [],
    () => [],
  );
  location.assign(entryOf(projects));
}

/** Returns the path to open after joining a project. */
export function entryOf(projects: { slug: string }[]): string {
  const [only, another] = projects;
  return only && !another ? `/app/${only.slug}/overview` : "/app/projects";
}

/** Returns the path to open after signing in. It is always below /app/. */
export function nextAddress(next: string | null): string {
  if (!next?.startsWith("/app/")) return "/app/projects";
  const url = new URL(next, location.origin);
  const isOurs = url.origin === location.origin && url.pathname.startsWith("/app/") && !url.pathname.startsWith("/app/login");
  return isOurs ? url.pathname + url.search + url.hash : "/app/projects";
}
