import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import { SettingsPage } from "@/ui/SettingsPage";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { changePublishers } from "./changePublishers";
import { claimsLine } from "./claims";
import { NewPublisher } from "./NewPublisher";
import { strings } from "./strings";

type Publisher = Schemas["TrustedPublisher"];

/** The list of trusted publishers: CI systems whose ID tokens the project accepts. */
export default function SettingsPublishers() {
  const refusal = useRefusal("admin");
  const [adds, setAdds] = useState(false);
  const [removes, setRemoves] = useState<Publisher | null>(null);
  const query = useApi().useQuery("get", "/v1/ota/trusted-publishers");
  const columns: Column<Publisher>[] = [
    {
      id: "whose",
      header: strings.columns.whose,
      width: "minmax(9rem, 3fr)",
      value: (each) => claimsLine(each.claims),
      cell: (each) => (
        <div className="min-w-0">
          <p className="truncate font-medium">{claimsLine(each.claims)}</p>
          <p className="truncate text-xs text-muted">{each.issuer}</p>
        </div>
      ),
    },
    { id: "role", header: strings.columns.role, width: "5rem", value: (each) => each.role, cell: (each) => strings.roles[each.role] },
    {
      id: "channels",
      header: strings.columns.channels,
      width: "minmax(5rem, 1fr)",
      secondary: true,
      cell: (each) => <span className="block truncate">{each.channels?.join(", ") ?? strings.allChannels}</span>,
    },
    { id: "made", header: strings.columns.made, width: "7rem", secondary: true, value: (each) => each.createdAt, cell: (each) => <Time at={each.createdAt} /> },
    {
      id: "remove",
      header: "",
      width: "5.5rem",
      align: "right",
      cell: (each) => (
        <Button size="sm" command refusal={refusal} aria-label={strings.removeOf(claimsLine(each.claims))} onClick={() => setRemoves(each)}>
          {strings.remove}
        </Button>
      ),
    },
  ];
  return (
    <ListPage
      frame={SettingsPage}
      strings={strings}
      query={query}
      columns={columns}
      rowHeight={48}
      placeholder="h-32"
      refusal={refusal}
      onAdd={() => setAdds(true)}
    >
      {adds && <NewPublisher onClose={() => setAdds(false)} />}
      {removes && (
        <DangerDialog
          onClose={() => setRemoves(null)}
          title={strings.removeOf(claimsLine(removes.claims))}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.done.removed}
          run={(client) => changePublishers(client, (publishers) => publishers.filter((each) => each.id !== removes.id))}
        />
      )}
    </ListPage>
  );
}
