import { useApi } from "@/api/project";
import { actorName } from "@/format/actions";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";

interface Props {
  /** The record's type in the audit log. */
  entityType: string;
  /** The record's ID. Not set for the project itself. */
  entityId?: number;
  /** Shows the stored record and discards the edits. */
  onLoad: () => void;
  /** Keeps the edits, on top of the stored record. */
  onKeep: () => void;
}

/** Shows who changed the record since it was opened, and asks which values to keep. */
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
            {text.fasterBy(actorName(last.actorName || last.actorId))} <Time at={last.createdAt} />.{" "}
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
