/** Opens the page that sent the person to sign in, or the list of projects. Only follows addresses of the dashboard. */
export function leave() {
  location.assign(nextAddress(new URLSearchParams(location.search).get("next")));
}

/** Returns the path to open after signing in. It is always below /app/. */
export function nextAddress(next: string | null): string {
  if (!next?.startsWith("/app/")) return "/app/projects";
  const url = new URL(next, location.origin);
  const isOurs = url.origin === location.origin && url.pathname.startsWith("/app/") && !url.pathname.startsWith("/app/login");
  return isOurs ? url.pathname + url.search + url.hash : "/app/projects";
}
