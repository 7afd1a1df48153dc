import type { Problem } from "@/api/problem";
import { strings } from "@/strings";
import { Failure } from "./Failure";

/** Why a change was not made, or that it may have been. */
export function NotDone({ problem, title = problem.isUnanswered ? strings.dialog.unknownOutcome : strings.dialog.notCarriedOut }: { problem: Problem; title?: string }) {
  return (
    <div className="rounded-lg border border-bad">
      <Failure error={problem} title={title} />
    </div>
  );
}
