export const strings = {
  title: "Policies",
  lead: "How releases are rolled out: stages, thresholds that hold a rollout or roll it back, and freeze windows in which no stage begins.",
  table: "Policies",
  filter: "Filter by name or channel",
  add: "New policy",
  columns: { name: "Policy", channel: "Channel", stages: "Stages", limits: "Thresholds", running: "Running", state: "State", changed: "Changed" },
  anyChannel: "Any",
  crash: (rate: string) => `crashes ${rate}`,
  error: (rate: string) => `errors ${rate}`,
  noLimits: "None",
  active: "Active",
  inactive: "Not used",
  empty: {
    title: "No policies yet",
    text: "A policy rolls a release out stage by stage and rolls it back when devices crash.",
    command: "waft policies create policy.json",
  },
};
