import type { ApiClient, Schemas } from "@/api/client";
import { strings } from "@/strings";
import type { Effect } from "@/ui/effect";

/** The preview request of a waiting call. */
interface Preview {
  path: string;
  body: unknown;
  /** Describes the number of affected devices, as in PreviewOfEffect. */
  affected?: ((count: number | null) => string) | null;
}

/** Requests the effect that the call would have if it were applied now. */
export function sendPreview(client: ApiClient, { path, body }: Preview, signal: AbortSignal): Promise<{ data?: Effect }> {
  const post = client.POST as unknown as (path: string, options: object) => Promise<{ data?: Effect }>;
  return post(path, { body, signal });
}

/** Returns the preview request for a waiting call, or null if the call has no preview. */
export function previewOf({ action, input }: Pick<Schemas["Approval"], "action" | "input">): Preview | null {
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
    case "update.publish": {
      const body = Object.fromEntries(Object.entries(input).filter(([field]) => field !== "direct"));
      return typeof body.channel === "string" && body.channel ? { path: "/v1/ota/updates/preview", body } : null;
    }
    case "update.patch":
      return { path: `/v1/ota/updates/${input.id}/preview`, body: input.change };
    case "update.republish":
      return { path: `/v1/ota/updates/${input.id}/republish/preview`, body: input.change };
    case "update.delete":
      return { path: `/v1/ota/updates/${input.id}/delete/preview`, body: {} };
    case "segment.update":
      return { path: `/v1/ota/segments/${input.id}/preview`, body: input.change };
    case "channel.delete":
      return { path: `/v1/ota/channels/${encodeURIComponent(String(input.channel))}/delete/preview`, body: {} };
    case "rollout.start":
      return { path: "/v1/ota/rollout-executions/preview", body: input };
    case "project.resume":
      return { path: "/v1/ota/emergency-stop/resume/preview", body: {} };
    case "user_override.create":
      return { path: "/v1/ota/user-overrides/preview", body: input, affected: null };
    case "user_override.delete":
      return { path: `/v1/ota/user-overrides/${input.id}/delete/preview`, body: {}, affected: null };
    case "flag.delete":
      return { path: `/v1/ota/flags/${input.id}/delete/preview`, body: {}, affected: strings.dialog.devicesOfUse };
    case "flag.copy":
      return { path: `/v1/ota/flags/${input.id}/copy/preview`, body: input.change };
    case "env_setting.update":
      return { path: `/v1/ota/flags/${input.flagId}/env/${encodeURIComponent(String(input.channel))}/preview`, body: input.change };
    default:
      return null;
  }
}
