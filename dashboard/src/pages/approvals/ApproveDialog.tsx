import { useApi } from "@/api/project";
import { VerdictDialog } from "@/pages/approval/VerdictDialog";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Placeholder } from "@/ui/Panel";
import { strings } from "./strings";

/** Approves a call from the list. Shows what the person would see on the approval's page: the requester, the new values, the effect. */
export function ApproveDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useApi().useQuery("get", "/v1/ota/approvals/{id}", { params: { path: { id } } });
  if (query.data) return <VerdictDialog approval={query.data} verdict="approve" inFull onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={strings.approve}>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Placeholder />}
    </Dialog>
  );
}
