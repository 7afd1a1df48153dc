import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isPending } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Combobox } from "@/ui/Combobox";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

interface Props {
  /** The release to roll out. Without it, the person chooses one. */
  updateId?: number;
  onClose: () => void;
}

/** The dialog that rolls a release out by a policy, after its effect is shown. Then the rollout's page opens. */
export function StartDialog({ updateId, onClose }: Props) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const [release, setRelease] = useState(updateId === undefined ? "" : String(updateId));
  const [policy, setPolicy] = useState("");
  const body = { updateId: Number(release), policyId: Number(policy) };
  const refusal = !release ? strings.noRelease : !policy ? strings.noPolicy : null;
  return (
    <DangerDialog
      onClose={onClose}
      title={strings.title}
      text={strings.text}
      confirm={strings.confirm}
      refusal={refusal}
      previewKey={[body]}
      preview={refusal ? null : (client, signal) => client.POST("/v1/ota/rollout-executions/preview", { body, signal })}
      run={(client, _reason, key) => client.POST("/v1/ota/rollout-executions", { params: { header: { "Idempotency-Key": key } }, body })}
      onDone={(output) => {
        if (isPending(output)) return;
        void navigate({ to: "/$project/rollouts/$id", params: { project, id: String((output as Schemas["RolloutExecution"]).id) } });
      }}
    >
      {updateId === undefined && (
        <Field label={strings.release} hint={strings.releaseHint}>
          <Combobox of="release" value={release} onChange={setRelease} filter={{ isEnabled: true, kind: "update" }} className="w-full" />
        </Field>
      )}
      <Field label={strings.policy}>
        <Combobox of="policy" value={policy} onChange={setPolicy} className="w-full" />
      </Field>
    </DangerDialog>
  );
}
