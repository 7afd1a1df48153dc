import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { strings as frame } from "@/strings";
import { DangerDialog } from "@/ui/DangerDialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Placeholder } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

const { actions: text } = strings;
const choices = 20;

/** The dialog that rolls back the release's channel on its platform and runtime version. */
export function RollbackDialog({ release, onClose }: { release: Schemas["Update"]; onClose: () => void }) {
  const earlier = useApi().useQuery("get", "/v1/ota/updates", {
    params: {
      query: {
        branch: release.branchName,
        platform: release.platform,
        runtimeVersion: release.runtimeVersion,
        before: release.id,
        limit: choices,
      },
    },
  });
  const candidates = (earlier.data ?? []).filter((each) => each.kind === "update");
  const [chosen, setChosen] = useState<string | null>(null);
  const target = chosen ?? String(candidates[0]?.id ?? "");
  const channel = release.channel ?? "";
  const body = {
    channel,
    platform: release.platform,
    runtimeVersion: release.runtimeVersion,
    ...(target && { rollbackToUpdateId: Number(target) }),
  };
  return (
    <DangerDialog
      onClose={onClose}
      title={text.rollback}
      text={text.rollbackText(channel)}
      typeName={channel}
      done={text.done.rollback}
      previewKey={[body]}
      preview={earlier.data ? (client, signal) => client.POST("/v1/ota/rollback/preview", { body, signal }) : null}
      refusal={earlier.data ? null : frame.panel.loading}
      run={(client, _reason, key) => client.POST("/v1/ota/rollback", { params: { header: { "Idempotency-Key": key } }, body })}
    >
      {earlier.data ? (
        <Field label={text.rollbackTo}>
          <Select
            value={target}
            onChange={setChosen}
            className="w-full"
            options={[
              ...candidates.map((each) => ({ value: String(each.id), label: [`#${each.id}`, each.releaseMessage].filter(Boolean).join(" · ") })),
              { value: "", label: text.embedded },
            ]}
          />
        </Field>
      ) : earlier.isError ? (
        <Failure error={earlier.error} onRetry={() => void earlier.refetch()} />
      ) : (
        <Placeholder />
      )}
    </DangerDialog>
  );
}
