import { useParams } from "@tanstack/react-router";
import { useApi } from "@/api/project";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Placeholder } from "@/ui/Panel";
import { Editor } from "./Editor";
import { strings } from "./strings";

/** The editor of a policy, with what it would do. The id `new` is for one that does not exist yet. */
export default function Policy() {
  const { id } = useParams({ strict: false });
  return id === "new" ? <Editor key="new" /> : <Loaded key={id} id={Number(id)} />;
}

function Loaded({ id }: { id: number }) {
  const query = useApi().useQuery("get", "/v1/ota/rollout-policies/{id}", { params: { path: { id } } });
  const error: unknown = query.error;
  const retry = () => void query.refetch();
  if (query.data) return <Editor policy={query.data} />;
  return <Page title={strings.title}>{error ? <Failure error={error} onRetry={retry} /> : <Placeholder className="h-64" />}</Page>;
}
