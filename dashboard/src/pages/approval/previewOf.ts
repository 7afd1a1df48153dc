import type { Schemas } from "@/api/client";

/** Returns path and body of the preview request for a waiting call, or null if the call has no preview. */
export function previewOf({ action, input }: Pick<Schemas["Approval"], "action" | "input">): { path: string; body: unknown } | null {
  if (!input) return null;
  switch (action) {
    case "update.rollback":
      return { path: "/v1/ota/rollback/preview", body: input };
    case "channel.update":
      return { path: `/v1/ota/channels/${encodeURIComponent(String(input.channel))}/preview`, body: input.change };
    case "rollout.advance":
      return { path: `/v1/ota/rollout-executions/${input.id}/advance/preview`, body: {} };
    case "rollout.resume":
      return { path: `/v1/ota/rollout-executions/${input.id}/resume/preview`, body: {} };
    default:
      return null;
  }
}
