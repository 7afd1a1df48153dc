const base = "/v1/ota/";

/** Resources that are about people, and not below the base. */
const ofPeople: Record<string, string> = { sessions: "/v1/auth/sessions", passkeys: "/v1/auth/passkeys" };

/** What else a change of a resource shows in, by the first segment of paths. */
const alsoIn: Record<string, string[]> = {
  updates: ["overview", "builds", "branches", "channels", "rollout-executions", "insights", "flags"],
  builds: ["updates", "gc"],
  branches: ["channels", "overview", "updates"],
  channels: ["overview", "branches", "emergency-stop", "flags"],
  "rollout-executions": ["overview", "updates", "rollout-policies", "flags"],
  "rollout-policies": ["rollout-executions"],
  flags: ["segments", "updates", "overview"],
  segments: ["flags"],
  contexts: [],
  "user-overrides": ["branches"],
  webhooks: [],
  "api-keys": [],
  members: ["invitations"],
  invitations: ["members"],
  approvals: ["overview"],
  telemetry: ["overview"],
  "emergency-stop": ["overview", "channels", "rollout-executions"],
  settings: ["overview", "gc"],
};

/** Whether a query of this path shows something of the changed resource. The audit log shows all. */
export function isAbout(path: string, resource: string): boolean {
  if (!path.startsWith(base)) return path === ofPeople[resource];
  const segment = path.slice(base.length).split("/")[0] ?? "";
  return segment === resource || segment === "audit-log" || Boolean(alsoIn[resource]?.includes(segment));
}

/** What devices report does not come by the stream: these are asked again by the clock. */
export const telemetryPaths = [
  "overview",
  "telemetry/",
  "insights/",
  "observe/",
  "devices",
  "rollout-executions",
  "flags/{id}/evaluations",
  "flags/{id}/health",
].map((path) => base + path);
