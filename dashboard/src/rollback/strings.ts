import { strings as frame } from "@/strings";

const platform = (name: string) => (frame.platforms as Record<string, string>)[name] ?? name;

export const strings = {
  action: "Roll back",
  title: (channel: string | null, name: string) => `Roll back ${[channel, platform(name)].filter(Boolean).join(" · ")}`,
  text: (runtimeVersion: string) => `Devices with runtime version ${runtimeVersion} switch with their next check.`,
  done: "Rolled back. Devices switch with their next check.",
  goBackTo: "Go back to",
  rollout: "This rollout",
  undo: "The release that each device had before",
  undoText: "Only devices inside the rollout switch. All others keep what they run.",
  flag: (key: string) => `Only without the flag ${key}`,
  flagText: "Devices keep the release, and the rollout continues.",
  wholeChannel: (channel: string | null) => (channel === null ? "The whole branch" : `The whole channel ${channel}`),
  wholeChannelText: "This release and every newer release that does not reach every device, on every platform.",
  releases: "An earlier release, for every device",
  search: "Search earlier releases",
  none: "No earlier release is turned on.",
  noMatch: "No earlier release matches.",
  more: "Only the newest releases are listed. Search to find the others.",
  embedded: "The embedded update",
  embeddedText: "The bundle inside the app. Devices download nothing.",
  number: (id: number, commit: string) => [`#${id}`, commit.slice(0, 7)].filter(Boolean).join(" · "),
  disabled: "Turned off",
  disabledBy: (who: string, when: string) => `Turned off by ${who}, ${when}`,
  disabledWarning: "This release was turned off. If you confirm, devices get it again.",
  disabledOther: (release: string, name: string) => `${release} for ${platform(name)} was turned off. If you confirm, devices get it again.`,
  platforms: "Platforms",
  both: (names: string[]) => names.map(platform).join(" and "),
  only: (name: string) => `Only ${platform(name)}`,
  noCounterpart: (name: string) => `This release was not published for ${platform(name)}, so ${platform(name)} keeps what it has.`,
};
