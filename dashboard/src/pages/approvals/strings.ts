export const strings = {
  title: "Approvals",
  lead: "Changes to protected channels: waiting for a decision, and already decided.",
  table: "Approvals",
  status: "Status",
  any: "Any status",
  statuses: { pending: "Waiting", approved: "Approved", carried_out: "Applied", stale: "Out of date", failed: "Failed", rejected: "Rejected", expired: "Expired" },
  columns: { change: "Change", status: "Status", by: "Requester", approvals: "Approvals", expires: "Ends", made: "Requested" },
  asks: (who: string, summary: string) => `${who} asks to ${summary}.`,
  reason: (reason: string) => `Reason: ${reason}`,
  affects: (channels: string) => `Affects devices on ${channels}.`,
  of: (given: number, needed: number) => `${given} of ${needed}`,
  empty: { title: "No approvals", text: "A change waits for approval if its channel is protected and requires approvals. An admin sets this under Channels, Protection." },
};
