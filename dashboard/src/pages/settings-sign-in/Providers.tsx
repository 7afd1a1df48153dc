import { useLocation } from "@tanstack/react-router";
import { useApi } from "@/api/project";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { strings } from "./strings";

const text = strings.providers;

/** The identity providers of the installation, and which the account is linked with. Without providers there is nothing. */
export function Providers() {
  const api = useApi();
  const here = useLocation({ select: (location) => location.pathname });
  const methods = api.useQuery("get", "/v1/auth/methods");
  const own = api.useQuery("get", "/v1/auth/methods/own");
  if (!methods.data || methods.data.oidc.length === 0) return null;
  const providers = methods.data.oidc;
  return (
    <Panel title={text.title} query={own}>
      {(own) => (
        <>
          <p className="text-muted">{text.lead}</p>
          <ul className="divide-y">
            {providers.map(({ id, name }) => (
              <li key={id} className="flex items-center gap-3 py-2">
                <span className="min-w-0 flex-1 font-medium break-words">{name}</span>
                {own.oidc.some((each) => each.id === id) ? (
                  <Badge tone="ok">{text.linked}</Badge>
                ) : (
                  <a
                    href={`/v1/auth/oidc/${encodeURIComponent(id)}?link=true&returnTo=${encodeURIComponent(`/app${here}`)}`}
                    aria-label={text.linkOf(name)}
                    className="inline-flex min-h-7 items-center rounded-md border border-edge/60 bg-panel px-2 text-xs font-medium hover:bg-hover"
                  >
                    {text.link}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
