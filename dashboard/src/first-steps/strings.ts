export const strings = {
  title: "First steps",
  lead: (done: number, all: number) => `${done} of ${all} done. This list disappears when the first device has reported.`,
  hide: "Hide the first steps",
  done: "Done",
  open: "To do",
  key: {
    title: "Create an API key",
    text: "The command line and CI publish with this key. The key is shown once.",
    button: "Create a key",
  },
  app: {
    title: "Tell the app where its updates are",
    address: "The app asks this address for its updates:",
    text: "Put this into app.json, and build the app again:",
    other: "If devices reach the server at another address than this browser, use that one.",
    snippet: "Configuration for app.json",
    signed: "This project signs its manifests, so the app needs the certificate of the key.",
  },
  publish: {
    title: "Publish the first release",
    text: "Run this in the folder of the app, or drag the export into the page.",
    link: "Publish an export in the browser",
  },
  device: {
    title: "Start the app on a device",
    text: "Waiting for the first device… A device appears here when the app has asked for an update and reported its launch.",
  },
};
