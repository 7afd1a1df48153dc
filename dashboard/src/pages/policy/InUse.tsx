import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { strings } from "./strings";

/** Shows why the policy cannot be changed, with links to the rollouts that use it. */
export function InUse({ reason, rollouts }: { reason: string; rollouts: number[] }) {
  const { slug: project } = useProject();
  return (
    <div role="note" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <p>{reason}</p>
      <p className="flex flex-wrap gap-x-3">
        {rollouts.map((id) => (
          <Link key={id} to="/$project/rollouts/$id" params={{ project, id: String(id) }} className="underline underline-offset-2">
            {strings.rollout(id)}
          </Link>
        ))}
      </p>
    </div>
  );
}
