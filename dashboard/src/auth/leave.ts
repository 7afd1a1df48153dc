/** Opens the page that sent the person to log in, or the list of projects. Only addresses of the dashboard are followed. */
export function leave() {
  location.assign(nextAddress(new URLSearchParams(location.search).get("next")));
}

/** Where to go after logging in: a path below /app/ and nothing else. */
export function nextAddress(next: string | null): string {
  if (!next?.startsWith("/app/")) return "/app/projects";
  const url = new URL(next, location.origin);
  const isOurs = url.origin === location.origin && url.pathname.startsWith("/app/") && !url.pathname.startsWith("/app/login");
  return isOurs ? url.pathname + url.search + url.hash : "/app/projects";
}
