import { plural } from "@/format/format";

export const strings = {
  title: "Webhooks",
  lead: "Messages to other systems, such as a chat or CI, when something in this project changes.",
  table: "Webhooks",
  add: "New webhook",
  saved: "The webhook is saved.",
  columns: { url: "Address", events: "Events", state: "State", last: "Last delivery" },
  all: "All events",
  events: (events: string) => plural(events, "event"),
  states: { on: "On", off: "Off", failing: "Failing", disabled: "Disabled by Waft" },
  statuses: { pending: "Pending", delivered: "Delivered", failed: "Failed", cancelled: "Cancelled" },
  noDelivery: "None",
  form: {
    url: "Address",
    urlHint: "Waft posts messages to this address. Private addresses are refused unless the server allows them.",
    description: "Description",
    format: "Format",
    formats: { standard: "Standard Webhooks, signed", slack: "Slack", teams: "Microsoft Teams" },
    events: "Events",
    allEvents: "All events, including future ones",
    search: "Filter events",
    active: "Active: receives messages",
    secretFor: "The receiver checks signatures with this secret.",
  },
  empty: { title: "No webhooks yet", text: "A webhook notifies another system of rollouts, rollbacks, incidents and other changes." },
};
