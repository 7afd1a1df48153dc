import { useNavigate } from "@tanstack/react-router";
import type { ApiClient, Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { DangerDialog } from "@/ui/DangerDialog";
import { strings } from "./strings";

const { actions: text } = strings;

export type Change = "enable" | "disable" | "critical" | "uncritical" | "remove";

/** Asks before the release is turned on or off, made critical, or deleted. */
export function ChangeDialog({ release, change, onClose }: { release: Schemas["Update"]; change: Change; onClose: () => void }) {
  const navigate = useNavigate();
  const { slug: project } = useProject();
  const title = text[change];
  return (
    <DangerDialog
      onClose={onClose}
      title={title}
      text={{ enable: text.enableText, disable: text.disableText, critical: text.criticalText, uncritical: text.criticalText, remove: text.removeText }[change]}
      done={change === "remove" ? text.done.remove : text.done.change}
      previewKey={[release.id, change]}
      preview={(client, signal) => preview(client, release, change, signal)}
      reason={change === "remove" ? undefined : "optional"}
      run={(client, reason) => send(client, release, change, reason ? { reason } : {})}
      onDone={() => change === "remove" && void navigate({ to: "/$project/releases", params: { project } })}
    />
  );
}

const bodies = {
  enable: { isEnabled: true },
  disable: { isEnabled: false },
  critical: { isCritical: true },
  uncritical: { isCritical: false },
};

function send(client: ApiClient, release: Schemas["Update"], change: Change, why: { reason?: string }): Promise<{ data?: unknown }> {
  const params = { path: { id: release.id } };
  if (change === "remove") return client.DELETE("/v1/ota/updates/{id}", { params });
  return client.PATCH("/v1/ota/updates/{id}", { params, body: { ...bodies[change], ...why } });
}

function preview(client: ApiClient, release: Schemas["Update"], change: Change, signal: AbortSignal): Promise<{ data?: unknown }> {
  const params = { path: { id: release.id } };
  if (change === "remove") return client.POST("/v1/ota/updates/{id}/delete/preview", { params, signal });
  return client.POST("/v1/ota/updates/{id}/preview", { params, body: bodies[change], signal });
}
