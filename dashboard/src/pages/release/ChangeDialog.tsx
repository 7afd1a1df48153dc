import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiClient, Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

const { actions: text } = strings;

export type Change = "enable" | "disable" | "critical" | "share" | "remove";

/** Asks before one field of the release changes, or it is deleted. */
export function ChangeDialog({ release, change, onClose }: { release: Schemas["Update"]; change: Change; onClose: () => void }) {
  const navigate = useNavigate();
  const { slug: project } = useProject();
  const [share, setShare] = useState(String(release.rolloutPercentage));
  const title = change === "critical" && release.isCritical ? text.uncritical : text[change];
  return (
    <DangerDialog
      open
      onClose={onClose}
      title={title}
      text={{ enable: text.enableText, disable: text.disableText, critical: text.criticalText, share: text.shareText, remove: text.removeText }[change]}
      confirm={title}
      withoutReason
      done={change === "remove" ? text.done.remove : text.done.change}
      run={(client) => send(client, release, change, Number(share))}
      onDone={() => change === "remove" && void navigate({ to: "/$project/releases", params: { project } })}
    >
      {change === "share" && (
        <Field label={text.shareLabel}>
          <input className="field" type="number" min={0} max={100} step="any" value={share} onChange={(event) => setShare(event.target.value)} />
        </Field>
      )}
    </DangerDialog>
  );
}

function send(client: ApiClient, release: Schemas["Update"], change: Change, share: number): Promise<{ data?: unknown }> {
  const params = { path: { id: release.id } };
  switch (change) {
    case "remove":
      return client.DELETE("/v1/ota/updates/{id}", { params });
    case "enable":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isEnabled: true } });
    case "disable":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isEnabled: false } });
    case "critical":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { isCritical: !release.isCritical } });
    case "share":
      return client.PATCH("/v1/ota/updates/{id}", { params, body: { rolloutPercentage: share } });
  }
}
