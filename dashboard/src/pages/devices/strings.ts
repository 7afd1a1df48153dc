export const strings = {
  title: "Devices",
  lead: "Devices that have reported. Open a device to see which release it gets, and why.",
  table: "Devices",
  search: "Search device ID",
  channel: "Channel",
  anyChannel: "Any channel",
  release: "Release",
  anyRelease: "Any release",
  hashed: "This project stores only hashes of device IDs: search for the full device ID or the hash.",
  columns: { device: "Device", runs: "Runs", channel: "Channel", errors: "Errors", crashes: "Crashes", last: "Last seen" },
  empty: {
    title: "No device has reported yet",
    text: "A device appears with its first health report. The app needs the telemetry client to send one.",
  },
  noMatch: "No device matches the filters.",
};
