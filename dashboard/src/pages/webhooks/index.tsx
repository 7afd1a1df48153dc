import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { useProject } from "@/api/project";
import { ListPage } from "@/ui/ListPage";
import { columns } from "./columns";
import { strings } from "./strings";
import { WebhookDialog } from "./WebhookDialog";

/** The list of webhooks. */
export default function Webhooks() {
  const { slug } = useProject();
  const refusal = useRefusal("editor");
  const [adds, setAdds] = useState(false);
  const query = usePages<Schemas["Webhook"]>("/v1/ota/webhooks");
  return (
    <ListPage strings={strings} query={query} columns={columns(slug)} rowHeight={52} refusal={refusal} onAdd={() => setAdds(true)}>
      {adds && <WebhookDialog onClose={() => setAdds(false)} />}
    </ListPage>
  );
}
