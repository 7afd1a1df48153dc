import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { InvitationTable } from "./InvitationTable";
import { InviteDialog } from "./InviteDialog";
import { MemberTable } from "./MemberTable";
import { strings } from "./strings";

/** The page of the project's members and open invitations. */
export default function SettingsMembers() {
  const refusal = useRefusal("admin");
  const [invites, setInvites] = useState(false);
  const params = { params: { query: { limit: pageLength } } };
  const members = useApi().useQuery("get", "/v1/ota/members", params);
  const invitations = useApi().useQuery("get", "/v1/ota/invitations", params, { enabled: refusal === null });
  return (
    <SettingsPage
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button kind="primary" icon={<UserPlus size={14} aria-hidden />} refusal={refusal} onClick={() => setInvites(true)}>
          {strings.invite}
        </Button>
      }
    >
      <Panel title={strings.members} query={members} flush placeholder="h-33">
        {(rows) => <MemberTable members={rows} refusal={refusal} />}
      </Panel>
      {/* On a phone, members are higher than their placeholder. The panel below is shown after them, so that it does not jump. */}
      {refusal === null && !members.isPending && (
        <Panel
          title={strings.invitations}
          query={invitations}
          flush
          isEmpty={(rows) => rows.length === 0}
          empty={<p className="p-3 text-muted">{strings.none}</p>}
        >
          {(rows) => <InvitationTable invitations={rows} />}
        </Panel>
      )}
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
    </SettingsPage>
  );
}
