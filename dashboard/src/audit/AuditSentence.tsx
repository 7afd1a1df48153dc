import { Link, type LinkProps } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { pageOf } from "./pageOf";
import { telling, type Entry } from "./telling";

/** Shows who did what to which record. The record is a link if it still exists; the actor links to everything they did. */
export function AuditSentence({ entry }: { entry: Entry }) {
  const { slug: project } = useProject();
  const { actor, before, subject, after } = telling(entry);
  const page = pageOf(entry.subject, project);
  return (
    <>
      <Link to="/$project/audit" params={{ project }} search={{ actor: entry.actorId }} className="font-medium hover:underline">
        {actor}
      </Link>{" "}
      {before}
      {after !== null && page && (
        <Link {...(page as LinkProps)} className="text-link underline underline-offset-2">
          {subject}
        </Link>
      )}
      {after !== null && !page && <span>{subject}</span>}
      {after}
    </>
  );
}
