import { Facts } from "@/ui/Facts";
import { strings } from "./strings";
import { telling, type Entry } from "./telling";

/** Shows the details of a change that its sentence does not contain, and the ID of the request. */
export function AuditDetails({ entry }: { entry: Entry & { requestId: string } }) {
  const { others } = telling(entry);
  const facts = others.map(({ name, text }): [string, string] => [name, text]);
  if (entry.requestId) facts.push([strings.request, entry.requestId]);
  if (facts.length === 0) return null;
  return (
    <details className="mt-0.5 text-xs">
      <summary className="text-faint">{strings.more}</summary>
      <div className="mt-1 text-2xs [overflow-wrap:anywhere]">
        <Facts facts={facts} />
      </div>
    </details>
  );
}
