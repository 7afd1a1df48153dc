import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { count } from "@/format/format";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Facts } from "@/ui/Facts";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { Breadcrumbs } from "./Breadcrumbs";
import { Frames } from "./Frames";
import { strings } from "./strings";

type Sample = Schemas["EventDetail"];
const text = strings.samples;

/** Lists some of the group's latest events with everything that the device reported. */
export function Samples({ samples }: { samples: Sample[] }) {
  const { slug: project } = useProject();
  return (
    <ul className="divide-y">
      {samples.map((sample) => (
        <li key={sample.id} className="px-3 py-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              to="/$project/devices/$deviceId"
              params={{ project, deviceId: sample.deviceId }}
              title={sample.deviceId}
              className="max-w-full truncate font-mono text-xs text-link hover:underline"
            >
              {sample.deviceId}
            </Link>
            <span className="text-xs text-muted">
              {frame.platforms[sample.platform]} · {sample.runtimeVersion} · {sample.channel}
            </span>
            <ReleaseLink release={sample.release} uuid={sample.updateUuid} />
            {sample.isFatal && <Badge tone="bad">{text.fatal}</Badge>}
            {sample.count > 1 && <span className="text-xs text-muted">{text.count(count(sample.count))}</span>}
            <span className="ml-auto text-xs text-faint">
              <Time at={sample.receivedAt} />
            </span>
          </p>
          <p className="break-words">{sample.message}</p>
          <Details sample={sample} />
        </li>
      ))}
    </ul>
  );
}

function Details({ sample }: { sample: Sample }) {
  const lists = [
    [text.tags, sample.tags],
    [text.flags, sample.flagStates],
  ] as const;
  const stacks = [
    [text.raw, sample.stackTrace],
    [text.component, sample.componentStack],
  ] as const;
  return (
    <details className="mt-1">
      <summary className="min-h-6 text-xs text-muted">{text.details}</summary>
      <div className="mt-1 flex flex-col gap-3">
        {sample.frames.length > 0 && (
          <div className="overflow-clip rounded-md border">
            <Frames frames={sample.frames} />
          </div>
        )}
        {sample.breadcrumbs.length > 0 && <Breadcrumbs breadcrumbs={sample.breadcrumbs} />}
        {lists.map(
          ([title, values]) =>
            Object.keys(values).length > 0 && (
              <div key={title}>
                <p className="text-xs text-muted">{title}</p>
                <Facts facts={Object.entries(values).map(([name, value]) => [name, String(value)])} />
              </div>
            ),
        )}
        {stacks.map(
          ([title, stack]) =>
            stack && (
              <div key={title}>
                <p className="text-xs text-muted">{title}</p>
                <pre tabIndex={0} role="region" aria-label={title} className="max-h-64 overflow-auto rounded-md border bg-canvas p-2 font-mono text-xs">
                  {stack}
                </pre>
              </div>
            ),
        )}
      </div>
    </details>
  );
}
