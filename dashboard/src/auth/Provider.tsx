import type { Schemas } from "@/api/client";
import { strings } from "./strings";

interface Props {
  provider: Schemas["IdentityProvider"];
  returnTo: string;
  /** Set if the link opens a new tab. Called when it is opened. */
  onNewTab?: () => void;
}

/** A link to an identity provider, which leads back to an address of the dashboard. */
export function Provider({ provider, returnTo, onNewTab }: Props) {
  return (
    <a
      target={onNewTab && "_blank"}
      onClick={onNewTab}
      href={`/v1/auth/oidc/${encodeURIComponent(provider.id)}?returnTo=${encodeURIComponent(returnTo)}`}
      className="inline-flex h-9 items-center justify-center rounded-md border border-edge/60 bg-panel px-3 font-medium hover:bg-hover sm:h-8"
    >
      {strings.login.provider(provider.name)}
    </a>
  );
}
