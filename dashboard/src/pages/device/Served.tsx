import type { Schemas } from "@/api/client";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const text = strings.served;

/** Lists the releases that Waft served to the device, latest first. */
export function Served({ served }: { served: Schemas["ServedRelease"][] }) {
  if (served.length === 0) return <p className="text-muted">{text.none}</p>;
  return (
    <ul className="flex flex-col gap-1.5">
      {served.map((each) => (
        <li key={`${each.updateUuid} ${each.servedAt}`} className="flex flex-wrap items-baseline gap-x-2">
          <ReleaseLink release={each.release} uuid={each.updateUuid} />
          <span className="text-xs text-muted">
            {text.at} <Time at={each.servedAt} /> ·{" "}
            {each.firstSeenAt ? (
              <>
                {text.ran} <Time at={each.firstSeenAt} /> {text.until} <Time at={each.lastSeenAt} />
              </>
            ) : (
              text.never
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
