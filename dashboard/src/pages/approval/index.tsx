import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useApi } from "@/api/project";
import { useMe } from "@/app/session";
import { ApprovalBadge } from "@/pages/approvals/ApprovalBadge";
import { hasApproved, isRequester } from "@/pages/approvals/verdictsOf";
import { sentence } from "@/format/format";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { ApprovalFacts } from "./ApprovalFacts";
import { AskingSentence } from "./AskingSentence";
import { EffectOfApproval } from "./EffectOfApproval";
import { ReceivesOfApproval } from "./ReceivesOfApproval";
import { VerdictDialog, type Decision } from "./VerdictDialog";
import { Verdicts } from "./Verdicts";
import { strings } from "./strings";

/** The page of an approval: the call's effect, its requester, and the buttons to decide. */
export default function Approval() {
  const { id } = useParams({ from: "/$project/approvals/$id" });
  const editor = useRefusal("editor");
  const me = useMe();
  const [verdict, setVerdict] = useState<Decision | null>(null);
  const query = useApi().useQuery("get", "/v1/ota/approvals/{id}", { params: { path: { id: Number(id) } } });
  const approval = query.data;
  const isOwn = approval && isRequester(approval, me.data?.user);
  const given = approval && hasApproved(approval, me.data?.user);
  const decided = approval && approval.status !== "pending" ? strings.decided : null;
  return (
    <Page
      title={approval ? sentence(approval.summary) : strings.title}
      beside={approval && <ApprovalBadge status={approval.status} />}
      lead={approval && strings.waits(approval.approvals.length, approval.requiredApprovals)}
      actions={
        approval && (
          <>
            {given && approval.status === "pending" && (
              <Button command={strings.commands.withdraw} refusal={editor} onClick={() => setVerdict("withdraw")}>
                {strings.withdraw}
              </Button>
            )}
            <Button command={strings.commands.reject} refusal={editor ?? decided} onClick={() => setVerdict("reject")}>
              {strings.reject}
            </Button>
            <Button kind="primary" command={strings.commands.approve} refusal={editor ?? decided ?? (isOwn ? strings.own : null)} onClick={() => setVerdict("approve")}>
              {strings.approve}
            </Button>
          </>
        )
      }
    >
      <Panel title={strings.change} query={query} placeholder="h-48">
        {(approval) => <AskingSentence approval={approval} />}
      </Panel>
      {approval && <ReceivesOfApproval approval={approval} />}
      {approval?.status === "pending" && <EffectOfApproval approval={approval} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title={strings.details} query={query} placeholder="h-48">
          {(approval) => <ApprovalFacts approval={approval} />}
        </Panel>
        <Panel title={strings.verdicts} query={query}>
          {(approval) => <Verdicts approval={approval} />}
        </Panel>
      </div>
      {approval && verdict && <VerdictDialog key={verdict} approval={approval} verdict={verdict} onClose={() => setVerdict(null)} />}
    </Page>
  );
}
