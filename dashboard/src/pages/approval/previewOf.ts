import type { Schemas } from "@/api/client";

/** The preview of a stored call: the path to ask; null when that call has none. */
export function previewOf(approval: Pick<Schemas["Approval"], "method" | "path">): string | null {
  const { method, path } = approval;
  if (method === "POST" && path === "/v1/ota/rollback") return `${path}/preview`;
  if (method === "POST" && /^\/v1\/ota\/rollout-executions\/\d+\/(pause|resume|advance|cancel|rollback)$/.test(path)) return `${path}/preview`;
  if (method === "PATCH" && /^\/v1\/ota\/channels\/[^/]+$/.test(path)) return `${path}/preview`;
  return null;
}
