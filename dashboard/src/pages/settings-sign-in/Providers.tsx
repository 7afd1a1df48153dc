import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { NotDone } from "@/ui/NotDone";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Identity = Schemas["LinkedIdentity"];
const text = strings.providers;

/** Lists the installation's identity providers, and the linked identities, which can be removed. Empty if there are neither. */
export function Providers() {
  const api = useApi();
  const here = useLocation({ select: (location) => location.pathname });
  const methods = api.useQuery("get", "/v1/auth/methods");
  const own = api.useQuery("get", "/v1/auth/methods/own");
  const [removes, setRemoves] = useState<Identity | null>(null);
  const link = useChange<string, Schemas["LinkBegun"]>({
    run: (client, provider) =>
      client.POST("/v1/auth/oidc/{provider}/link", { params: { path: { provider } }, body: { returnTo: `/app${here}` } }),
    onDone: (begun) => location.assign(begun.url),
  });
  if (!methods.data || (methods.data.oidc.length === 0 && !own.data?.identities.length)) return null;
  const providers = methods.data.oidc;
  return (
    <Panel title={text.title} query={own}>
      {(own) => (
        <>
          <p className="text-muted">{text.lead}</p>
          {link.error && <NotDone problem={link.error} />}
          <ul className="divide-y">
            {own.identities.map((identity) => (
              <li key={identity.id} className="flex items-center gap-3 py-2">
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
                    {identity.name} <Badge tone="ok">{text.linked}</Badge>
                  </p>
                  <p className="text-xs break-all text-muted">
                    {identity.subject} · <Time at={identity.linkedAt} />
                  </p>
                </div>
                <Button size="sm" command aria-label={text.removeOf(identity.name)} onClick={() => setRemoves(identity)}>
                  {text.remove}
                </Button>
              </li>
            ))}
            {providers
              .filter(({ id }) => !own.oidc.some((each) => each.id === id))
              .map(({ id, name }) => (
                <li key={id} className="flex items-center gap-3 py-2">
                  <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
                  <Button size="sm" command busy={link.isPending} aria-label={text.linkOf(name)} onClick={() => link.mutate(id)}>
                    {text.link}
                  </Button>
                </li>
              ))}
          </ul>
          {removes && (
            <DangerDialog
              onClose={() => setRemoves(null)}
              title={text.removeOf(removes.name)}
              text={text.removeText}
              confirm={text.remove}
              done={text.removed}
              run={(client) => client.DELETE("/v1/auth/identities/{id}", { params: { path: { id: removes.id } } })}
            />
          )}
        </>
      )}
    </Panel>
  );
}
