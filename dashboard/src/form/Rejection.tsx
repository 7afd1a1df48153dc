import type { Problem } from "@/api/problem";
import { NotDone } from "@/ui/NotDone";

/** Shows why sending a form failed, with the messages that do not belong to one of its fields. */
export function Rejection({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div>
      <NotDone problem={problem} />
      {problem.fields.map((each) => (
        <p key={each.field} role="alert" className="text-xs text-bad">
          {`${each.field}: ${each.message}`}
        </p>
      ))}
    </div>
  );
}
