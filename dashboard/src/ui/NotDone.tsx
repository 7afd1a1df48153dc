import type { Problem } from "@/api/problem";
import { strings } from "@/strings";
import { Failure } from "./Failure";

/** Why a change was not made. */
export function NotDone({ problem, title = strings.dialog.notCarriedOut }: { problem: Problem; title?: string }) {
  return (
    <div className="rounded-lg border border-bad">
      <Failure error={problem} title={title} />
    </div>
  );
}
