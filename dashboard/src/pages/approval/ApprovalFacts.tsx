import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { Facts } from "@/ui/Facts";
import { Time } from "@/ui/Time";
import { WorkflowLink } from "@/ui/WorkflowLink";
import { strings } from "./strings";

/** Shows the dates of an approval, with the call itself as it was sent. */
export function ApprovalFacts({ approval }: { approval: Schemas["Approval"] }) {
  const code = (text: string) => <code className="font-mono text-xs break-all">{text}</code>;
  const facts: [string, ReactNode][] = [
    [strings.made, <Time key="made" at={approval.createdAt} exact />],
    approval.endedAt ? [strings.ended, <Time key="ended" at={approval.endedAt} exact />] : [strings.expires, <Time key="expires" at={approval.expiresAt} exact />],
  ];
  if (approval.error) facts.splice(0, 0, [strings.error, approval.error]);
  return (
    <div className="flex flex-col gap-3">
      <Facts facts={facts} />
      <details>
        <summary className="text-muted">{strings.input}</summary>
        <div className="mt-1">
          <Facts
            facts={[
              [strings.operation, code(approval.action)],
              [strings.request, code(approval.requestId)],
              [strings.workflow, <WorkflowLink key="workflow" workflow={approval} />],
            ]}
          />
        </div>
        <pre tabIndex={0} aria-label={strings.input} className="mt-1 max-h-80 overflow-auto rounded-md border bg-canvas p-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
          {JSON.stringify(approval.input, null, 2)}
        </pre>
      </details>
    </div>
  );
}
