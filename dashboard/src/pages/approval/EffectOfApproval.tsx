import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Panel } from "@/ui/Panel";
import { PreviewOfEffect } from "@/ui/PreviewOfEffect";
import { previewOf, sendPreview } from "./previewOf";
import { strings } from "./strings";

/** Shows the effect that the call would have if it were applied now. */
export function EffectOfApproval({ approval }: { approval: Schemas["Approval"] }) {
  const { client } = useProject();
  const preview = previewOf(approval);
  const query = useQuery({
    queryKey: ["preview", preview?.path, approval.id],
    enabled: preview !== null,
    queryFn: async ({ signal }) => (preview && (await sendPreview(client, preview, signal)).data) ?? null,
  });
  if (preview === null) {
    return (
      <Panel title={strings.effect}>
        <p className="text-muted">{strings.noEffect}</p>
      </Panel>
    );
  }
  return (
    <Panel title={strings.effect} query={query}>
      {(effect) => effect && <PreviewOfEffect effect={effect} affected={preview.affected} />}
    </Panel>
  );
}
