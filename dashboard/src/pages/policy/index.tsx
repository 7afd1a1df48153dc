import { useParams } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useTagged } from "@/api/tagged";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Placeholder } from "@/ui/Panel";
import { Editor } from "./Editor";
import { strings } from "./strings";

/** The page to edit a policy. The ID `new` stands for a policy that does not exist yet. */
export default function Policy() {
  const { id } = useParams({ from: "/$project/policies/$id" });
  return id === "new" ? <Editor key="new" /> : <Loaded key={id} id={Number(id)} />;
}

function Loaded({ id }: { id: number }) {
  const { data, error, refetch } = useTagged<Schemas["RolloutPolicy"]>("/v1/ota/rollout-policies/{id}", { id });
  if (data) return <Editor stored={data} />;
  return <Page title={strings.title}>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Placeholder className="h-64" />}</Page>;
}
