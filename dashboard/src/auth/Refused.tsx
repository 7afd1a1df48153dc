import type { Problem } from "@/api/problem";
import { strings } from "./strings";

interface Props {
  problem: Problem | null;
  /** Fields that show their own errors. */
  fields?: string[];
}

/** Shows why a form was refused, except for errors that its fields show. */
export function Refused({ problem, fields = [] }: Props) {
  if (!problem || (problem.fields.length > 0 && problem.fields.every((each) => fields.includes(each.field)))) return null;
  return (
    <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
      <p className="wrap-anywhere">{problem.message}</p>
      {problem.requestId && (
        <p className="font-mono text-2xs break-all">
          {strings.requestId} {problem.requestId}
        </p>
      )}
    </div>
  );
}
