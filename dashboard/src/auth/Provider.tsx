import type { Schemas } from "@/api/client";
import { strings } from "./strings";

/** A link to an identity provider, which leads back to an address of the dashboard. */
export function Provider({ provider, returnTo }: { provider: Schemas["IdentityProvider"]; returnTo: string }) {
  return (
    <a
      href={`/v1/auth/oidc/${encodeURIComponent(provider.id)}?returnTo=${encodeURIComponent(returnTo)}`}
      className="inline-flex h-9 items-center justify-center rounded-md border border-edge/60 bg-panel px-3 font-medium hover:bg-hover sm:h-8"
    >
      {strings.login.provider(provider.name)}
    </a>
  );
}
