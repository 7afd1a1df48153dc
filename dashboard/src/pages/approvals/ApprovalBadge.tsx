import type { Schemas } from "@/api/client";
import { Badge, type Tone } from "@/ui/Badge";
import { strings } from "./strings";

type Status = Schemas["ApprovalSummary"]["status"];

const tones: Record<Status, Tone> = { pending: "warn", approved: "info", carried_out: "ok", stale: "plain", failed: "bad", rejected: "bad", expired: "plain" };

export function ApprovalBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{strings.statuses[status]}</Badge>;
}
