export const strings = {
  title: "Start a rollout",
  command: "Start a rollout of the release",
  text: "A rollout raises the release's rollout percentage stage by stage, while its policy checks the release's health.",
  release: "Release",
  releaseHint: "Enabled releases only, newest first. Type to search by message or version.",
  noRelease: "Choose a release.",
  policy: "Rollout policy",
  noPolicy: "Choose a rollout policy.",
  confirm: "Start the rollout",
  off: "The release is off. Turn it on first.",
  running: "This release already has a rollout.",
  embedded: "A rollback to the embedded update goes to every device and cannot be rolled out in stages.",
};
