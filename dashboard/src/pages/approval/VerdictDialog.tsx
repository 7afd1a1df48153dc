import type { Schemas } from "@/api/client";
import { DangerDialog } from "@/ui/DangerDialog";
import { strings } from "./strings";

/** Approves or rejects; the reason is the comment of the verdict. */
export function VerdictDialog({ approval, verdict, onClose }: { approval: Schemas["Approval"]; verdict: "approve" | "reject"; onClose: () => void }) {
  const missing = approval.requiredApprovals - approval.approvals.length;
  return (
    <DangerDialog
      onClose={onClose}
      title={`${strings[verdict]}: ${approval.summary}`}
      text={verdict === "approve" ? strings.approveText(missing) : strings.rejectText}
      confirm={strings[verdict]}
      reason="optional"
      done={strings.done[verdict]}
      run={(client, comment, key) =>
        client.POST(verdict === "approve" ? "/v1/ota/approvals/{id}/approve" : "/v1/ota/approvals/{id}/reject", {
          params: { path: { id: approval.id }, header: { "Idempotency-Key": key } },
          body: comment ? { comment } : {},
        })
      }
    />
  );
}
