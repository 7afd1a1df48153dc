import { Plus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { AddDialog } from "./AddDialog";
import { BranchTable } from "./BranchTable";
import { ChannelTable } from "./ChannelTable";
import { strings } from "./strings";

/** The page of channels and branches. */
export default function Channels() {
  const refusal = useRefusal("editor");
  const [adds, setAdds] = useState<"channel" | "branch" | null>(null);
  const params = { params: { query: { limit: pageLength } } };
  const channels = useApi().useQuery("get", "/v1/ota/channels", params);
  const branches = useApi().useQuery("get", "/v1/ota/branches", params);
  const { empty } = strings;
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <>
          <Button icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds("branch")}>
            {strings.actions.addBranch}
          </Button>
          <Button kind="primary" icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds("channel")}>
            {strings.actions.add}
          </Button>
        </>
      }
    >
      <Panel title={strings.channels} query={channels} flush isEmpty={(rows) => rows.length === 0} empty={<Empty {...empty.channels} />}>
        {(rows) => <ChannelTable channels={rows} branches={branches.data ?? []} />}
      </Panel>
      <Panel title={strings.branches} query={branches} flush isEmpty={(rows) => rows.length === 0} empty={<Empty {...empty.branches} />}>
        {(rows) => <BranchTable branches={rows} channels={channels.data ?? []} />}
      </Panel>
      {adds && <AddDialog what={adds} branches={branches.data ?? []} onClose={() => setAdds(null)} />}
    </Page>
  );
}
