import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { Check } from "@/ui/Check";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import { SettingsPage } from "@/ui/SettingsPage";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { columns } from "./columns";
import { NewKey } from "./NewKey";
import { strings } from "./strings";

type Key = Schemas["APIKey"];

/** The list of the project's keys. */
export default function SettingsKeys() {
  const refusal = useRefusal("admin");
  const [view, setView] = usePageSearch("/$project/settings/keys");
  const [adds, setAdds] = useState(false);
  const [revokes, setRevokes] = useState<Key | null>(null);
  const query = useList<Key>("/v1/ota/api-keys", { shortLived: view.shortLived ? true : undefined });
  return (
    <ListPage
      frame={SettingsPage}
      strings={strings}
      query={query}
      columns={columns(refusal, setRevokes)}
      rowHeight={48}
      controls={
        <Check
          label={strings.showShortLived}
          checked={Boolean(view.shortLived)}
          onChange={(event) => setView({ shortLived: event.target.checked ? "1" : "" })}
        />
      }
      refusal={refusal}
      onAdd={() => setAdds(true)}
    >
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
    </ListPage>
  );
}
