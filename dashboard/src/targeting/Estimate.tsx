import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { asProblem } from "@/api/problem";
import { useProject } from "@/api/project";
import { count } from "@/format/format";
import { conditionOf, isCompleteCondition, type ConditionDraft } from "./conditions";
import { strings } from "./strings";

const wait = 400;
const text = strings.estimate;

/** Shows how many devices of the last week meet the conditions. Updates when typing pauses. */
export function Estimate({ conditions, matchType }: { conditions: ConditionDraft[]; matchType: "all" | "any" }) {
  const { client } = useProject();
  const isComplete = conditions.length > 0 && conditions.every(isCompleteCondition);
  const body = JSON.stringify({ matchType, conditions: conditions.map(conditionOf).map(({ values, ...rest }) => ({ ...rest, valuesJson: values ?? [] })) });
  const [asked, setAsked] = useState(body);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(body), wait);
    return () => clearTimeout(timer);
  }, [body]);
  const query = useQuery({
    queryKey: ["estimate", asked],
    enabled: isComplete && asked === body,
    queryFn: async ({ signal }) => (await client.POST("/v1/ota/segments/estimate", { body: JSON.parse(asked) as never, signal })).data,
  });
  const devices = query.data?.estimatedDevices;
  const answer = !isComplete ? "—" : query.error ? asProblem(query.error).message : query.data === undefined ? "…" : devices == null ? text.unknown : count(devices);
  return (
    <p role="status" className="text-muted">
      {text.label} <strong className="text-ink tabular-nums">{answer}</strong>
    </p>
  );
}
