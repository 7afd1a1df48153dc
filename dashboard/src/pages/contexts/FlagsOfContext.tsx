import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Explanation } from "@/targeting/Explanation";
import { Combobox } from "@/ui/Combobox";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Placeholder } from "@/ui/Panel";
import { usePageSearch } from "@/ui/usePageSearch";
import { strings } from "./strings";

type Context = Schemas["Context"];

/** Shows the value of every flag for the context, with the reason. */
export function FlagsOfContext({ context, onClose }: { context: Context; onClose: () => void }) {
  const { client, slug: project } = useProject();
  const [view, setView] = usePageSearch("/$project/contexts");
  const query = useQuery({
    queryKey: ["explain", context.id, view.channel],
    queryFn: async ({ signal }) => {
      const asked = { targetingKey: context.targetingKey, ...(view.channel && { channel: view.channel }), attributes: context.attributes };
      return (await client.POST("/v1/ota/flags/explain", { body: { context: asked }, signal })).data ?? [];
    },
  });
  return (
    <Dialog open wide onClose={onClose} title={strings.flagsOf(context.name || context.targetingKey)}>
      <div className="flex flex-col gap-3">
        <Combobox of="channel" label={strings.channel} none={strings.noChannel} value={view.channel} onChange={(channel) => setView({ channel })} />
        {query.error && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {!query.data && !query.error && <Placeholder className="h-32" />}
        {query.data?.length === 0 && <p className="text-muted">{strings.noFlags}</p>}
        <ul className="flex flex-col gap-2">
          {(query.data ?? []).map((each) => (
            <li key={each.flagId}>
              <details className="rounded-lg border px-3 py-2">
                <summary className="cursor-pointer">
                  <span className="font-mono text-xs font-medium break-all">{each.flagKey}</span>
                  <span className="text-muted">{` = ${each.variant ?? JSON.stringify(each.value)}`}</span>
                </summary>
                <div className="mt-2 flex flex-col gap-2">
                  <Link to="/$project/flags/$id" params={{ project, id: String(each.flagId) }} className="text-link hover:underline">
                    {each.flagKey}
                  </Link>
                  <Explanation explanation={each} />
                </div>
              </details>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
