import { strings } from "@/strings";

interface Props {
  workflow: { workflowId: string; workflowUrl?: string | null };
  /** Shown instead of the ID. */
  label?: string;
}

/** Shows the ID of a workflow, as a link to Temporal for people who may see it. With a label, it is hidden unless there is a link. */
export function WorkflowLink({ workflow: { workflowId, workflowUrl }, label }: Props) {
  const content = label ?? <code className="font-mono text-xs break-all">{workflowId}</code>;
  if (!workflowUrl) return label === undefined ? content : null;
  return (
    <a href={workflowUrl} target="_blank" rel="noopener noreferrer" title={strings.openWorkflow} className="text-link hover:underline">
      {content}
    </a>
  );
}
