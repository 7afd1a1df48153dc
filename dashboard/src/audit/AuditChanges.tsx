import { sentence } from "@/format/format";
import { strings } from "./strings";
import { telling, type Entry } from "./telling";

/** Shows why a change was made and what it changed. */
export function AuditChanges({ entry }: { entry: Entry }) {
  const { reason, changes } = telling(entry);
  if (!reason && changes.length === 0) return null;
  return (
    <div className="mt-0.5 flex flex-col gap-0.5 text-xs break-words text-muted">
      {reason && <p>{sentence(reason)}</p>}
      {changes.map(({ name, text }) => (
        <p key={name + text}>{strings.fact(name, text)}</p>
      ))}
    </div>
  );
}
