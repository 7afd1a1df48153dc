export const strings = {
  title: "Approvals",
  lead: "Changes to protected channels that wait for a decision, and those that were decided.",
  table: "Approvals",
  status: "Status",
  any: "Any status",
  statuses: { pending: "Waiting", approved: "Approved", carried_out: "Carried out", stale: "Out of date", failed: "Failed", rejected: "Rejected", expired: "Expired" },
  columns: { change: "Change", status: "Status", by: "Asked by", approvals: "Approvals", expires: "Ends", made: "Asked" },
  of: (given: number, needed: number) => `${given} of ${needed}`,
  empty: { title: "Nothing waits for approval", text: "A change waits when its channel is protected and needs approvals. An admin sets that at Channels, Protection." },
};
