import type { Problem } from "@/api/problem";
import { NotDone } from "@/ui/NotDone";

/**
 * Shows why sending a form failed, with the messages that do not belong to one of its fields. A single message is already the detail of
 * the problem.
 */
export function Rejection({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div>
      <NotDone problem={problem} />
      {problem.fields
        .map((each) => `${each.field}: ${each.message}`)
        .filter((each) => each !== problem.message)
        .map((each) => (
          <p key={each} role="alert" className="text-xs text-bad">
            {each}
          </p>
        ))}
    </div>
  );
}
