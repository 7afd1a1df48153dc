import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { useList } from "@/ui/useList";
import { Invitations } from "./InvitationTable";
import { InviteDialog } from "./InviteDialog";
import { MemberTable } from "./MemberTable";
import { strings } from "./strings";

/** The page of the project's members and open invitations. */
export default function SettingsMembers() {
  const refusal = useRefusal("admin");
  const [invites, setInvites] = useState(false);
  const members = useList<Schemas["Member"]>("/v1/ota/members");
  return (
    <SettingsPage
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button kind="primary" command={strings.inviteCommand} icon={<UserPlus size={14} aria-hidden />} refusal={refusal} onClick={() => setInvites(true)}>
          {strings.invite}
        </Button>
      }
    >
      <Panel title={strings.members} query={members} flush placeholder="h-33">
        {(rows) => <MemberTable query={members} members={rows} refusal={refusal} />}
      </Panel>
      {/* On a phone, members are higher than their placeholder. The panel below is shown after them, so that it does not jump. */}
      {refusal === null && (members.data || members.error) && <Invitations />}
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
    </SettingsPage>
  );
}
