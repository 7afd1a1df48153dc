import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const text = strings.failed;

/** Lists the releases that failed on the device. */
export function Failed({ failed }: { failed: Schemas["FailedRelease"][] }) {
  if (failed.length === 0) return <p className="text-muted">{text.none}</p>;
  return (
    <ul className="flex flex-col gap-1.5">
      {failed.map((each) => (
        <li key={each.updateUuid} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ReleaseLink release={each.release} uuid={each.updateUuid} />
          {(
            [
              [text.crash, each.crashAt],
              [text.error, each.errorAt],
              [text.launch, each.failedAt],
            ] as const
          ).map(
            ([name, at]) =>
              at && (
                <span key={name} className="flex items-center gap-1 text-xs text-muted">
                  <Badge tone="bad">{name}</Badge> <Time at={at} />
                </span>
              ),
          )}
        </li>
      ))}
    </ul>
  );
}
