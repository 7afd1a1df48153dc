import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { ListPage } from "@/ui/ListPage";
import { useList } from "@/ui/useList";
import { columns } from "./columns";
import { strings } from "./strings";
import { WebhookDialog } from "./WebhookDialog";

/** The list of webhooks. */
export default function Webhooks() {
  const { slug } = useProject();
  const refusal = useRefusal("editor");
  const [adds, setAdds] = useState(false);
  const query = useList<Schemas["Webhook"]>("/v1/ota/webhooks");
  return (
    <ListPage strings={strings} query={query} columns={columns(slug)} rowHeight={52} refusal={refusal} onAdd={() => setAdds(true)}>
      {adds && <WebhookDialog onClose={() => setAdds(false)} />}
    </ListPage>
  );
}
