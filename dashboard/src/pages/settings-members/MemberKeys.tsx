import { useState } from "react";
import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { useChange } from "@/api/change";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Panel } from "@/ui/Panel";
import { KeyList } from "./KeyList";
import { strings } from "./strings";

/** Shows the keys that a removed member created, with a button to revoke them. */
export function MemberKeys({ member, onClose }: { member: Schemas["Member"]; onClose: () => void }) {
  const [revoked, setRevoked] = useState(false);
  const keys = useApi().useQuery("get", "/v1/ota/api-keys", { params: { query: { madeBy: member.userId, limit: pageLength } } });
  const revoke = useChange<void, unknown>({
    run: (client) => client.POST("/v1/ota/api-keys/revoke", { body: { madeBy: member.userId } }),
    onDone: () => setRevoked(true),
    toastErrors: true,
  });
  const working = !revoked && keys.data !== undefined && keys.data.length > 0;
  const held = revoke.isPending ? frame.dialog.busy : null;
  return (
    <Dialog
      open
      held={held}
      onClose={onClose}
      title={strings.keysOf(member.name)}
      text={working ? strings.keysText : undefined}
      footer={
        <Button refusal={held} onClick={onClose}>
          {strings.close}
        </Button>
      }
    >
      <Panel title={strings.keys} query={keys} isEmpty={(rows) => revoked || rows.length === 0} empty={<p>{revoked ? strings.done.keysRevoked : strings.noKeys}</p>}>
        {(rows) => <KeyList keys={rows} busy={revoke.isPending} onRevoke={() => revoke.mutate()} />}
      </Panel>
    </Dialog>
  );
}
