import type { Problem } from "@/api/problem";
import { strings } from "./strings";

/** Why a form was refused. What belongs to a field stands at the field. */
export function Refused({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
      <p>{problem.message}</p>
      {problem.requestId && (
        <p className="font-mono text-2xs break-all">
          {strings.requestId} {problem.requestId}
        </p>
      )}
    </div>
  );
}
