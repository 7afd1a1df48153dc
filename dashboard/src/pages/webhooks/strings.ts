import { plural } from "@/format/format";

export const strings = {
  title: "Webhooks",
  lead: "Messages to other systems, such as a chat or CI, when something of this project changes.",
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
    urlHint: "Messages are posted to it. Private addresses are refused unless the server allows them.",
    description: "Description",
    format: "Format",
    formats: { standard: "Standard Webhooks, signed", slack: "Slack", teams: "Microsoft Teams" },
    events: "Events",
    allEvents: "All events, also future ones",
    search: "Filter events",
    active: "Active: it gets messages",
    close: "Done",
    secretFor: "The receiver checks signatures with this secret.",
  },
  empty: { title: "There is no webhook", text: "A webhook tells another system of rollouts, rollbacks, incidents and other changes." },
};
