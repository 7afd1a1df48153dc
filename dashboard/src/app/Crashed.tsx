import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";

/** Replaces a page whose code failed, for example because a new version of the server has other files. */
export function Crashed({ error }: { error: unknown }) {
  return (
    <Page title={strings.crashed.title} lead={strings.crashed.text}>
      <p className="font-mono text-xs text-muted">{error instanceof Error ? error.message : String(error)}</p>
      <div>
        <Button onClick={() => location.reload()}>{strings.crashed.retry}</Button>
      </div>
    </Page>
  );
}
