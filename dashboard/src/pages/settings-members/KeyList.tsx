import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { strings } from "./strings";

interface Props {
  keys: Schemas["APIKey"][];
  busy: boolean;
  onRevoke: () => void;
}

/** Lists the keys of a person, with a button to revoke all of them. */
export function KeyList({ keys, busy, onRevoke }: Props) {
  return (
    <div className="flex flex-col items-start gap-3">
      <ul aria-label={strings.keys} className="flex w-full flex-col gap-1">
        {keys.map((each) => (
          <li key={each.id} className="flex min-w-0 flex-wrap justify-between gap-x-3">
            <span className="font-medium wrap-anywhere">{each.name}</span>
            <span className="shrink-0 text-muted">
              {each.role} · <span className="font-mono">{each.prefix}</span>
            </span>
          </li>
        ))}
      </ul>
      <Button kind="danger" busy={busy} onClick={onRevoke}>
        {strings.revokeKeys(keys.length)}
      </Button>
    </div>
  );
}
