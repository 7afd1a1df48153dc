import { Plus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { Table } from "@/ui/Table";
import { columns } from "./columns";
import { strings } from "./strings";
import { WebhookDialog } from "./WebhookDialog";

/** The project's webhooks. */
export default function Webhooks() {
  const { slug } = useProject();
  const refusal = useRefusal("editor");
  const [adds, setAdds] = useState(false);
  const query = usePages<Schemas["Webhook"]>("/v1/ota/webhooks");
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button kind="primary" icon={<Plus size={14} aria-hidden />} refusal={refusal} onClick={() => setAdds(true)}>
          {strings.add}
        </Button>
      }
    >
      <Panel title={strings.table} query={query} flush placeholder="h-64">
        {(rows) => (
          <Table label={strings.table} rows={rows} columns={columns(slug)} rowId={(row) => String(row.id)} rowHeight={52} onMore={query.more} empty={<Empty {...strings.empty} />} />
        )}
      </Panel>
      {adds && <WebhookDialog onClose={() => setAdds(false)} />}
    </Page>
  );
}
