import { Plus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { DangerDialog } from "@/ui/DangerDialog";
import { Empty } from "@/ui/Empty";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { Table } from "@/ui/Table";
import { useUrlState } from "@/ui/useUrlState";
import { columns } from "./columns";
import { NewKey } from "./NewKey";
import { strings } from "./strings";

type Key = Schemas["APIKey"];

/** The project's keys. A new one is shown once. */
export default function SettingsKeys() {
  const refusal = useRefusal("admin");
  const [view, setView] = useUrlState({ shortLived: "" });
  const [adds, setAdds] = useState(false);
  const [revokes, setRevokes] = useState<Key | null>(null);
  const query = usePages<Key>("/v1/ota/api-keys", { shortLived: view.shortLived ? true : undefined });
  return (
    <SettingsPage
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button kind="primary" icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds(true)}>
          {strings.add}
        </Button>
      }
    >
      <Panel title={strings.table} query={query} flush placeholder="h-64">
        {(keys) => (
          <Table
            label={strings.table}
            rows={keys}
            columns={columns(refusal, setRevokes)}
            rowId={(key) => String(key.id)}
            rowHeight={48}
            onMore={query.more}
            controls={
              <Check label={strings.showShortLived} checked={Boolean(view.shortLived)} onChange={(event) => setView({ shortLived: event.target.checked ? "1" : "" })} />
            }
            empty={<Empty {...strings.empty} />}
          />
        )}
      </Panel>
      {adds && <NewKey onClose={() => setAdds(false)} />}
      {revokes && (
        <DangerDialog
          onClose={() => setRevokes(null)}
          title={strings.revokeOf(revokes.name)}
          text={strings.revokeText}
          confirm={strings.revoke}
          done={strings.done.revoked}
          run={(client) => client.DELETE("/v1/ota/api-keys/{id}", { params: { path: { id: revokes.id } } })}
        />
      )}
    </SettingsPage>
  );
}
