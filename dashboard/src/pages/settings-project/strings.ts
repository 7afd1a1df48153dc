export const strings = {
  title: "Project",
  settings: "Privacy and rollouts",
  hashIds: "Store only hashes of device IDs",
  hashHint: "Existing data keeps its form, so devices are counted twice around the change.",
  networks: "Trusted networks",
  networksHint:
    "Enter one network per line, such as 203.0.113.0/24. In a trusted network, each device has its own vote in rollout decisions. In any other network, all devices share one vote.",
  save: "Save",
  saveCommand: "Save the project's settings",
  saved: "The settings are saved.",
  unchanged: "There are no changes.",
  stop: {
    running: "The project is not stopped. A stop immediately pauses every channel and every running rollout, so devices do not get anything new.",
    stopped: "The project is stopped.",
    channels: "Channels paused",
    executions: "Rollouts paused",
    by: "By",
    at: "At",
    reason: "Reason",
  },
  remove: {
    title: "Delete the project",
    text: "Permanently deletes the project's releases, flags, telemetry and keys. Only its audit log is kept. Apps of the project no longer get releases.",
    button: "Delete",
    ownersOnly: "Only owners of the installation can delete projects.",
    done: "The project is deleted.",
  },
};
