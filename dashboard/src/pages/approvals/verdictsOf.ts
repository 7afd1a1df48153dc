import type { Schemas } from "@/api/client";

type Asked = Pick<Schemas["ApprovalSummary"], "requestedBy" | "approvals">;
type User = { id: number } | null | undefined;

/** Reports whether the person requested the call. A key's owner is unknown here, so the server refuses the approval of its owner. */
export function isRequester({ requestedBy }: Asked, user: User): boolean {
  return requestedBy.type === "user" && requestedBy.id === String(user?.id);
}

/** Reports whether the person has approved the call. */
export function hasApproved({ approvals }: Asked, user: User): boolean {
  return approvals.some(({ by }) => by.type === "user" && by.id === String(user?.id));
}
