export const strings = {
  title: "Devices",
  lead: "Devices that reported, latest first. Open one to see what it gets, and why.",
  table: "Devices",
  search: "Search device id",
  channel: "Channel",
  anyChannel: "Any channel",
  release: "Release",
  anyRelease: "Any release",
  hashed: "This project stores hashes of device ids: search for the whole id, or the hash.",
  columns: { device: "Device", runs: "Runs", channel: "Channel", errors: "Errors", crashes: "Crashes", last: "Last seen" },
  empty: {
    title: "No device has reported yet",
    text: "A device appears with its first report of health. The app needs the telemetry client for it.",
  },
  noMatch: "No device matches the filters.",
};
