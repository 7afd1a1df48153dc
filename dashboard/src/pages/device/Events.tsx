import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { count } from "@/format/format";
import { Badge, type Tone } from "@/ui/Badge";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Event = Schemas["TelemetryEvent"];
const text = strings.events;
const tones: Record<Event["type"], Tone> = { crash: "bad", js_error: "warn", custom: "info", app_launch: "plain" };

/** Lists the device's last events, newest first. */
export function Events({ events }: { events: Event[] }) {
  const { slug: project } = useProject();
  return (
    <ul className="divide-y">
      {events.map((event) => {
        const title = [event.errorName || event.name, event.message].filter(Boolean).join(": ");
        return (
          <li key={event.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-1.5">
            <span className="w-14 shrink-0">
              <Badge tone={tones[event.type]}>{text.types[event.type]}</Badge>
            </span>
            {event.fingerprint ? (
              <Link
                to="/$project/observe/$fingerprint"
                params={{ project, fingerprint: event.fingerprint }}
                search={{ range: "30d" }}
                className="min-w-0 truncate text-link hover:underline"
              >
                {title || text.group}
              </Link>
            ) : (
              title && <span className="min-w-0 truncate">{title}</span>
            )}
            <span className="min-w-0 max-w-full">
              <ReleaseLink release={event.release} uuid={event.updateUuid} />
            </span>
            {event.count > 1 && <span className="text-xs text-muted">{text.times(count(event.count))}</span>}
            <span className="ml-auto text-xs text-faint">
              <Time at={event.receivedAt} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
