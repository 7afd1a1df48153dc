import type { Schemas } from "@/api/client";
import { DangerDialog } from "@/ui/DangerDialog";
import { AskingSentence } from "./AskingSentence";
import { previewOf, sendPreview } from "./previewOf";
import { strings } from "./strings";

export type Decision = "approve" | "reject" | "withdraw";

const paths = {
  approve: "/v1/ota/approvals/{id}/approve",
  reject: "/v1/ota/approvals/{id}/reject",
  withdraw: "/v1/ota/approvals/{id}/withdraw",
} as const;

interface Props {
  approval: Schemas["Approval"];
  verdict: Decision;
  /** Shows the change and its effect, on a page that does not show them. */
  inFull?: boolean;
  onClose: () => void;
}

/** Asks before approving, rejecting, or withdrawing an approval. The reason becomes the comment of the verdict. */
export function VerdictDialog({ approval, verdict, inFull, onClose }: Props) {
  const preview = inFull ? previewOf(approval) : null;
  const missing = approval.requiredApprovals - approval.approvals.length;
  const texts = { approve: strings.approveText(missing), reject: strings.rejectText, withdraw: strings.withdrawText };
  return (
    <DangerDialog
      onClose={onClose}
      title={inFull ? strings.commands.approve : `${strings[verdict]}: ${approval.summary}`}
      text={texts[verdict]}
      confirm={strings[verdict]}
      isSafe={verdict !== "reject"}
      reason={verdict === "withdraw" ? undefined : "optional"}
      done={strings.done[verdict]}
      previewKey={[approval.id]}
      preview={preview && ((client, signal) => sendPreview(client, preview, signal))}
      affected={preview?.affected}
      run={(client, comment, key) =>
        client.POST(paths[verdict], {
          params: { path: { id: approval.id }, header: { "Idempotency-Key": key } },
          body: comment ? { comment } : {},
        })
      }
    >
      {inFull && <AskingSentence approval={approval} />}
      {inFull && preview === null && <p className="text-muted">{strings.noEffect}</p>}
    </DangerDialog>
  );
}
