import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { ContextForm } from "@/targeting/ContextForm";
import { Explanation } from "@/targeting/Explanation";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import type { Flag } from "./draft";
import { strings } from "./strings";

const text = strings.explain;

/** Which value the flag has for a context, and why. */
export function Explain({ flag, isChanged }: { flag: Flag; isChanged: boolean }) {
  const [answer, setAnswer] = useState<Schemas["FlagExplanation"] | null>(null);
  const ask = useChange<Schemas["ExplainBody"]["context"], Schemas["FlagExplanation"]>({
    run: (client, context) => client.POST("/v1/ota/flags/{id}/explain", { params: { path: { id: flag.id } }, body: { context } }),
    onDone: setAnswer,
  });
  return (
    <Panel title={text.title}>
      <div className="grid gap-6 lg:grid-cols-2">
        <ContextForm channels={flag.environments.map(({ channelName }) => channelName)} isBusy={ask.isPending} onAsk={(context) => ask.mutate(context)} />
        <div className="min-w-0" aria-live="polite">
          {isChanged && <p className="mb-2 text-xs text-muted">{text.saved}</p>}
          {ask.error ? <Failure error={ask.error} /> : answer ? <Explanation explanation={answer} /> : <p className="text-muted">{text.nothing}</p>}
        </div>
      </div>
    </Panel>
  );
}
