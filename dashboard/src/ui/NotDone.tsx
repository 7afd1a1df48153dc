import type { Problem } from "@/api/problem";
import { strings } from "@/strings";
import { Failure } from "./Failure";

/** Shows why a change was not applied, or that it may have gone through. */
export function NotDone({ problem, title = problem.isUnanswered ? strings.dialog.unknownOutcome : strings.dialog.notCarriedOut }: { problem: Problem; title?: string }) {
  return (
    <div className="rounded-lg border border-bad">
      <Failure error={problem} title={title} />
    </div>
  );
}
