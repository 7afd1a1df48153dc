import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { actorOf } from "@/audit/telling";
import { Facts } from "@/ui/Facts";
import { asks, flagOfValues, pageOfCall } from "./asks";
import { strings } from "./strings";

/** Shows who asks for what, why, for which channels, and the values that the call sets. */
export function AskingSentence({ approval }: { approval: Schemas["Approval"] }) {
  const { slug: project } = useProject();
  const { type, id, name } = approval.requestedBy;
  const page = pageOfCall(approval);
  const flag = flagOfValues(approval);
  const known = useApi().useQuery("get", "/v1/ota/flags/{id}", { params: { path: { id: flag ?? 0 } } }, { enabled: flag !== null });
  const sets = asks(approval, known.data?.variations);
  const link = "text-link underline underline-offset-2";
  return (
    <div className="flex flex-col gap-2 break-words">
      <p>
        <Link to="/$project/audit" params={{ project }} search={{ actor: id }} className="font-medium hover:underline">
          {actorOf({ actorType: type, actorId: id, actorName: name })}
        </Link>{" "}
        {strings.asks(approval.summary)}
      </p>
      {approval.reason && <p>{strings.reason(approval.reason)}</p>}
      {approval.channels.length > 0 && <p className="text-muted">{strings.affects(approval.channels.join(", "))}</p>}
      {page && (
        <p>
          <Link to={page.to as never} params={{ project, id: page.id } as never} className={link}>
            {strings.open}
          </Link>
        </p>
      )}
      {sets.length > 0 && (
        <div>
          <p className="text-xs text-muted">{strings.sets}</p>
          <Facts facts={sets.map(({ name: field, text }) => [field, text])} />
        </div>
      )}
    </div>
  );
}
