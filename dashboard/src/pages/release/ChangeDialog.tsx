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
      run={(client) => send(client, release, change)}
      onDone={() => change === "remove" && void navigate({ to: "/$project/releases", params: { project } })}
    />
  );
}

function send(client: ApiClient, release: Schemas["Update"], change: Change): Promise<{ data?: unknown }> {
  const params = { path: { id: release.id } };
  switch (change) {
    case "remove":
      return client.DELETE("/v1/ota/updates/{id}", { params });
    case "enable":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isEnabled: true } });
    case "disable":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isEnabled: false } });
    case "critical":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isCritical: true } });
    case "uncritical":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isCritical: false } });
  }
}
