import { id, list, oneOf, optional, order, text, time, uuid } from "./parameters";

const phones = ["ios", "android"] as const;
export const adoptionDays = ["7", "14", "30", "90"] as const;
export const healthDays = ["1", "7", "30", "90"] as const;
export const healthPeriods = ["6h", "24h", "7d", "30d"] as const;
export const rolloutStatuses = ["running", "paused", "completed", "rolled_back", "cancelled"] as const;
export const flagStates = ["incident", "degraded", "stale"] as const;
export const errorRanges = ["1h", "24h", "7d", "30d"] as const;
const range = oneOf(errorRanges, "24h");

/** The parameters in the address of each page, by the page's folder. Links to a page are checked against them. */
export const parameters = {
  releases: {
    ...list("releaseMessage", "channel", "rolloutPercentage", "sizeBytes", "createdAt"),
    channel: text(),
    platform: oneOf(phones),
    enabled: oneOf(["on", "off"]),
    days: oneOf(adoptionDays, "7"),
  },
  compare: { release: id(), with: id(), tab: oneOf(["errors", "files"], "errors") },
  release: {
    period: oneOf(healthPeriods, "24h"),
    tab: oneOf(["history", "errors", "patches"], "history"),
    patches: order("from", "status", "size", "full"),
  },
  builds: { ...list("sizeBytes", "createdAt"), platform: oneOf(phones) },
  rollouts: {
    ...list("updateId", "status", "percentage", "health.crashRate", "health.errorRate", "health.devices", "startedAt"),
    status: oneOf(rolloutStatuses),
    channel: text(),
  },
  channels: {
    ...list("name", "branchName", "rolloutPercentage", "minRuntimeVersion"),
    branch: text(),
    branches: order("name", "createdAt"),
  },
  policies: list("name", "channel", "stages", "isActive", "updatedAt"),
  policy: { stream: text() },
  flags: { ...list("key", "rules", "updatedAt"), state: oneOf(flagStates) },
  flag: {
    tab: oneOf(["rules", "channels", "variations", "explain", "health"], "rules"),
    // The context that the flag is explained for. Without a channel in the address it is the first one.
    targetingKey: text(),
    channel: optional(),
    platform: oneOf(phones),
    runtimeVersion: text(),
    updateUuid: text(),
    attributes: text(),
    days: oneOf(healthDays, "7"),
    sort: order("variation", "channel", "devices", "crashFree", "errorRate", "delta", "status"),
  },
  segments: list("name"),
  contexts: {
    ...list("targetingKey", "kind", "evaluationCount", "lastSeenAt"),
    kind: oneOf(["user", "device", "organization", "service", "environment"]),
    channel: text(),
  },
  incidents: { ...list("errorRate", "erroredDevices", "openedAt", "acknowledgedBy"), status: oneOf(["open", "resolved", "closed"]) },
  observe: {
    ...list("errorName", "devices", "events", "firstSeenAt", "lastSeenAt"),
    range,
    type: oneOf(["js_error", "crash"]),
    state: oneOf(["new", "regressed", "ongoing"]),
    status: oneOf(["open", "resolved", "regressed"]),
    assignee: oneOf(["me", "none"]),
    channel: text(),
    platform: oneOf(["ios", "android", "web"]),
    updateUuid: uuid(),
  },
  "error-group": { range },
  devices: { ...list("deviceId", "channel", "crashes", "errors", "lastSeenAt"), channel: text(), updateUuid: uuid() },
  device: { release: id(), at: text("100") },
  webhooks: list("description", "events", "isActive"),
  webhook: { status: oneOf(["pending", "delivered", "failed", "cancelled"]), event: text() },
  overrides: list("userId", "branchName", "note", "createdAt"),
  approvals: {
    ...list("summary", "status", "requestedBy", "expiresAt", "createdAt"),
    status: oneOf(["pending", "approved", "carried_out", "stale", "failed", "rejected", "expired"]),
  },
  audit: { ...list("createdAt", "actorName"), actor: text(), action: text(), from: time(), to: time() },
  "settings-keys": { ...list("name", "role", "lastUsedAt", "expiresAt", "createdAt"), shortLived: oneOf(["1"]) },
  "settings-members": {
    ...list("name", "role", "createdAt"),
    invitation: text(),
    invitations: order("email", "role", "invitedBy", "expiresAt"),
  },
  "settings-publishers": { sort: order("whose", "role", "channels", "made") },
  "settings-sessions": { sort: order("browser", "method", "seen", "ends") },
};
