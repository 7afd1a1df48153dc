import type { Schemas } from "@/api/client";
import { DangerDialog } from "@/ui/DangerDialog";
import { strings } from "./strings";

export type Decision = "approve" | "reject" | "withdraw";

const paths = {
  approve: "/v1/ota/approvals/{id}/approve",
  reject: "/v1/ota/approvals/{id}/reject",
  withdraw: "/v1/ota/approvals/{id}/withdraw",
} as const;

/** Asks before approving, rejecting, or withdrawing an approval. The reason becomes the comment of the verdict. */
export function VerdictDialog({ approval, verdict, onClose }: { approval: Schemas["Approval"]; verdict: Decision; onClose: () => void }) {
  const missing = approval.requiredApprovals - approval.approvals.length;
  const texts = { approve: strings.approveText(missing), reject: strings.rejectText, withdraw: strings.withdrawText };
  return (
    <DangerDialog
      onClose={onClose}
      title={`${strings[verdict]}: ${approval.summary}`}
      text={texts[verdict]}
      confirm={strings[verdict]}
      reason={verdict === "withdraw" ? undefined : "optional"}
      done={strings.done[verdict]}
      run={(client, comment, key) =>
        client.POST(paths[verdict], {
          params: { path: { id: approval.id }, header: { "Idempotency-Key": key } },
          body: comment ? { comment } : {},
        })
      }
    />
  );
}
