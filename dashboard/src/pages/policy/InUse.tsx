import { useApi } from "@/api/project";
import { pageLength } from "@/api/pages";
import { RolloutLink } from "@/ui/RolloutLink";

/** Shows why the policy cannot be changed, with links to the rollouts that use it. */
export function InUse({ policyId, reason, rollouts }: { policyId: number; reason: string; rollouts: number[] }) {
  const query = (status: "running" | "paused") => ({ params: { query: { policyId, status, limit: pageLength } } });
  const running = useApi().useQuery("get", "/v1/ota/rollout-executions", query("running")).data ?? [];
  const paused = useApi().useQuery("get", "/v1/ota/rollout-executions", query("paused")).data ?? [];
  const named = new Map([...running, ...paused].map((rollout) => [rollout.id, rollout]));
  return (
    <div role="note" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <p>{reason}</p>
      <ul className="flex flex-wrap gap-x-4">
        {rollouts.map((id) => (
          <li key={id} className="max-w-full">
            <RolloutLink id={id} release={named.get(id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
