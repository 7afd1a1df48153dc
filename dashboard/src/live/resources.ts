const base = "/v1/ota/";

/** Resources of accounts, whose paths are not below the base. */
const ofPeople: Record<string, string> = { sessions: "/v1/auth/sessions", passkeys: "/v1/auth/passkeys" };

/** Other resources that show a changed resource, by the first segment of their paths. */
const alsoIn: Record<string, string[]> = {
  updates: ["overview", "builds", "branches", "channels", "rollout-executions", "insights", "flags", "attention"],
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
  "api-keys": ["attention"],
  members: ["invitations", "attention"],
  invitations: ["members"],
  approvals: ["overview", "attention"],
  telemetry: ["overview", "attention"],
  "emergency-stop": ["attention", "overview", "channels", "rollout-executions"],
  settings: ["overview", "gc", "attention", "emergency-stop"],
};

/** Reports whether a query for this path shows the changed resource. The audit log shows all changes. */
export function isAbout(path: string, resource: string): boolean {
  if (!path.startsWith(base)) return path === ofPeople[resource];
  const segment = path.slice(base.length).split("/")[0] ?? "";
  return segment === resource || segment === "audit-log" || Boolean(alsoIn[resource]?.includes(segment));
}

/** Paths with telemetry. The event stream does not announce reports from devices, so these are polled. */
export const telemetryPaths = [
  "overview",
  "attention",
  "telemetry/",
  "insights/",
  "observe/",
  "devices",
  "rollout-executions",
  "flags/{id}/evaluations",
  "flags/{id}/health",
].map((path) => base + path);
