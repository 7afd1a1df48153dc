import { useApi } from "@/api/project";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";

interface Props {
  /** The record as the audit log names it. */
  entityType: string;
  /** Not of the project itself. */
  entityId?: number;
  /** Shows the stored record; what was edited is lost. */
  onLoad: () => void;
  /** Goes on with what was edited, over the stored record. */
  onKeep: () => void;
}

/** Says who changed the record since it was opened, and asks whose values to go on with. */
export function Overtaken({ entityType, entityId, onLoad, onKeep }: Props) {
  const log = useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 1, entity_type: entityType, ...(entityId !== undefined && { entity_id: String(entityId) }) } } });
  const last = log.data?.[0];
  const text = strings.form;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <p className="min-w-0 flex-1">
        {text.faster}{" "}
        {last && (
          <>
            {text.fasterBy(last.actorName || last.actorId)} <Time at={last.createdAt} />.{" "}
          </>
        )}
        {text.keepMineHint}
      </p>
      <Button size="sm" onClick={onLoad}>
        {text.loadTheirs}
      </Button>
      <Button size="sm" onClick={onKeep}>
        {text.keepMine}
      </Button>
    </div>
  );
}
