import { Plus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { useList } from "@/ui/useList";
import { AddDialog } from "./AddDialog";
import { BranchTable } from "./BranchTable";
import { ChannelTable } from "./ChannelTable";
import { strings } from "./strings";

/** The page of channels and branches. */
export default function Channels() {
  const refusal = useRefusal("editor");
  const [adds, setAdds] = useState<"channel" | "branch" | null>(null);
  const channels = useList<Schemas["Channel"]>("/v1/ota/channels", {}, { sort: "name" });
  const branches = useList<Schemas["Branch"]>("/v1/ota/branches", {}, { searchParam: "branch", sortParam: "branches" });
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <>
          <Button command icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds("branch")}>
            {strings.actions.addBranch}
          </Button>
          <Button kind="primary" command icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds("channel")}>
            {strings.actions.add}
          </Button>
        </>
      }
    >
      <Panel title={strings.channels} query={channels} flush>
        {(rows) => <ChannelTable query={channels} channels={rows} branches={branches.data ?? []} />}
      </Panel>
      <Panel title={strings.branches} query={branches} flush>
        {(rows) => <BranchTable query={branches} branches={rows} />}
      </Panel>
      {adds && <AddDialog what={adds} onClose={() => setAdds(null)} />}
    </Page>
  );
}
