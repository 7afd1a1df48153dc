export const strings = {
  title: "Policies",
  lead: "How releases are rolled out: the stages, the limits that hold or revert them, and when no stage begins.",
  table: "Policies",
  filter: "Filter by name or channel",
  add: "New policy",
  columns: { name: "Policy", channel: "Channel", stages: "Stages", limits: "Limits", running: "Running", state: "State", changed: "Changed" },
  anyChannel: "Any",
  crash: (rate: string) => `crashes ${rate}`,
  error: (rate: string) => `errors ${rate}`,
  noLimits: "None",
  active: "Active",
  inactive: "Not used",
  empty: {
    title: "There is no policy yet",
    text: "A policy rolls a release out stage by stage and takes it back when devices crash.",
    command: "waft ensure-policy --file policy.json",
  },
};
