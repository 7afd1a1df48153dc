import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { ContextForm } from "@/targeting/ContextForm";
import { Explanation } from "@/targeting/Explanation";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import type { Flag } from "./draft";
import { strings } from "./strings";

const text = strings.explain;

/** The tab that explains the flag's value for a context. */
export function Explain({ flag, isChanged }: { flag: Flag; isChanged: boolean }) {
  const { client } = useProject();
  const ask = useMutation({
    mutationFn: async (context: Schemas["ExplainBody"]["context"]) =>
      (await client.POST("/v1/ota/flags/{id}/explain", { params: { path: { id: flag.id } }, body: { context } })).data,
  });
  return (
    <Panel title={text.title}>
      <div className="grid gap-6 lg:grid-cols-2">
        <ContextForm channels={flag.environments.map(({ channelName }) => channelName)} isBusy={ask.isPending} onAsk={(context) => ask.mutate(context)} />
        <div className="min-w-0" aria-live="polite">
          {isChanged && <p className="mb-2 text-xs text-muted">{text.saved}</p>}
          {ask.error ? <Failure error={ask.error} /> : ask.data ? <Explanation explanation={ask.data} /> : <p className="text-muted">{text.nothing}</p>}
        </div>
      </div>
    </Panel>
  );
}
