import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { count } from "@/format/format";
import { Badge, type Tone } from "@/ui/Badge";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const tones: Record<Schemas["ErrorGroup"]["state"], Tone> = { new: "bad", regressed: "warn", ongoing: "plain" };

/** An item of a list of error groups, with the group's devices on a release. */
export function ErrorLine({ group }: { group: Schemas["ErrorGroup"] }) {
  const { slug: project } = useProject();
  return (
    <li className="flex items-start gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <Link
          to="/$project/observe/$fingerprint"
          params={{ project, fingerprint: group.fingerprint }}
          className="block truncate font-medium hover:underline"
        >
          {group.errorName}
          <span className="font-normal text-muted"> {group.message}</span>
        </Link>
        <p className="truncate text-xs text-muted">
          {strings.errors.of(count(group.devices), count(group.events))} · <Time at={group.lastSeenAt} />
        </p>
      </div>
      <Badge tone={tones[group.state]}>{strings.errors.states[group.state]}</Badge>
    </li>
  );
}
