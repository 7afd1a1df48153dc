import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { strings } from "./strings";

/** Lists the flags that this release sets. */
export function LinkedFlags({ flags }: { flags: Schemas["LinkedFlag"][] }) {
  const { slug: project } = useProject();
  if (flags.length === 0) return <p className="text-muted">{strings.flags.none}</p>;
  return (
    <ul className="flex flex-col gap-1.5">
      {flags.map((flag) => (
        <li key={flag.flagId} className="break-words">
          <Link to="/$project/flags/$id" params={{ project, id: String(flag.flagId) }} className="font-mono text-xs text-link hover:underline">
            {flag.flagKey}
          </Link>{" "}
          <span className="text-muted">{flag.enabled ? strings.flags.is(String(flag.value ?? true)) : strings.flags.off}</span>
        </li>
      ))}
    </ul>
  );
}
