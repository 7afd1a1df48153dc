import { Link } from "@tanstack/react-router";
import type { Stream } from "@/api/overview";
import { useProject } from "@/api/project";
import { strings } from "./strings";

/** Shows that a call on the target's rollout waits for approval, as a link to the approval. */
export function WaitingCall({ row: { waitingCall } }: { row: Stream }) {
  const { slug: project } = useProject();
  if (waitingCall === null) return null;
  return (
    <Link
      to="/$project/approvals/$id"
      params={{ project, id: String(waitingCall.approvalId) }}
      title={waitingCall.summary}
      className="inline-flex min-h-6 items-center text-xs text-link underline underline-offset-2"
    >
      {strings.waiting[waitingCall.action]}
    </Link>
  );
}
