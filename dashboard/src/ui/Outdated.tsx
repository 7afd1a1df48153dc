import { strings } from "@/strings";
import { Button } from "./Button";

/** Shows that a list may have changed since it was loaded, with a button to load it again. */
export function Outdated({ isBusy, onLoad }: { isBusy: boolean; onLoad: () => void }) {
  return (
    <>
      <span role="status" className="text-xs text-warn">
        {strings.panel.outdated}
      </span>
      <Button size="sm" busy={isBusy} onClick={onLoad}>
        {strings.panel.loadAgain}
      </Button>
    </>
  );
}
