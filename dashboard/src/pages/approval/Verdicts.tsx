import type { Schemas } from "@/api/client";
import { actorTitle } from "@/format/actions";
import { Sentence } from "@/ui/Sentence";
import { strings } from "./strings";

/** Lists who approved and who rejected. */
export function Verdicts({ approval }: { approval: Schemas["Approval"] }) {
  const given = approval.approvals.map((each) => ({ ...each, did: strings.approved }));
  if (approval.rejection) given.push({ ...approval.rejection, did: strings.rejected });
  if (given.length === 0) return <p className="text-muted">{strings.none}</p>;
  return (
    <ol className="divide-y">
      {given.map((each) => (
        <li key={each.by.id + each.did}>
          <Sentence at={each.at}>
            <span className="font-medium">{actorTitle(each.by.name)}</span> {each.did}
            {each.comment && <span className="block text-muted">{each.comment}</span>}
          </Sentence>
        </li>
      ))}
    </ol>
  );
}
