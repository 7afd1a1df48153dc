import { useParams } from "@tanstack/react-router";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Placeholder } from "@/ui/Panel";
import { Editor } from "./Editor";
import { strings } from "./strings";
import { useFlag } from "./useFlag";

/** The page of a flag: its rules, channels and variations as a draft, an explanation of values, and its health. */
export default function Flag() {
  const { id } = useParams({ from: "/$project/flags/$id" });
  return <Loaded key={id} id={Number(id)} />;
}

function Loaded({ id }: { id: number }) {
  const query = useFlag(id);
  if (query.data) return <Editor flag={query.data.flag} etag={query.data.etag} reload={() => query.refetch()} />;
  return <Page title={strings.title}>{query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Placeholder className="h-64" />}</Page>;
}
