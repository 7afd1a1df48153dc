import { useState } from "react";
import type { ApiClient } from "@/api/client";
import { releaseName } from "@/format/releaseName";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import type { Execution } from "./status";
import { strings } from "./strings";

const { actions: text } = strings;

export type Command = "pause" | "resume" | "advance" | "cancel";

const texts: Record<Command, string> = {
  pause: text.pauseText,
  resume: text.resumeText,
  advance: text.advanceText,
  cancel: text.cancelText,
};

/** Asks before a command is sent, and shows the server's preview of its effect. */
export function CommandDialog({ execution, command, onClose }: { execution: Execution; command: Command; onClose: () => void }) {
  const [revert, setRevert] = useState(true);
  const body: Body = command === "cancel" ? { revert } : {};
  const path = { id: execution.id };
  return (
    <DangerDialog
      onClose={onClose}
      title={`${text[command]}: ${strings.title(releaseName(execution))}`}
      text={texts[command]}
      confirm={text[command]}
      reason="optional"
      done={text.done[command]}
      previewKey={[execution.id, body]}
      preview={(client, signal) => preview(client, command, execution.id, body, signal)}
      run={(client, reason, idempotencyKey) => send(client, command, path.id, { ...body, ...(reason && { reason }) }, idempotencyKey)}
    >
      {command === "cancel" && (
        <Field label={text.keep}>
          <Select
            value={revert ? "revert" : "keep"}
            onChange={(value) => setRevert(value === "revert")}
            className="w-full"
            options={[
              { value: "revert", label: text.revert },
              { value: "keep", label: text.keepShare },
            ]}
          />
        </Field>
      )}
    </DangerDialog>
  );
}

type Body = { revert?: boolean; reason?: string };

function send(client: ApiClient, command: Command, id: number, body: Body, key: string) {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  switch (command) {
    case "pause":
      return client.POST("/v1/ota/rollout-executions/{id}/pause", { params, body });
    case "resume":
      return client.POST("/v1/ota/rollout-executions/{id}/resume", { params, body });
    case "advance":
      return client.POST("/v1/ota/rollout-executions/{id}/advance", { params, body });
    case "cancel":
      return client.POST("/v1/ota/rollout-executions/{id}/cancel", { params, body });
  }
}

function preview(client: ApiClient, command: Command, id: number, body: Body, signal: AbortSignal) {
  const options = { params: { path: { id } }, signal };
  switch (command) {
    case "pause":
      return client.POST("/v1/ota/rollout-executions/{id}/pause/preview", { ...options, body });
    case "resume":
      return client.POST("/v1/ota/rollout-executions/{id}/resume/preview", { ...options, body });
    case "advance":
      return client.POST("/v1/ota/rollout-executions/{id}/advance/preview", { ...options, body });
    case "cancel":
      return client.POST("/v1/ota/rollout-executions/{id}/cancel/preview", { ...options, body });
  }
}
