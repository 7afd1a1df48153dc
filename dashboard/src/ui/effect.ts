import type { Schemas } from "@/api/client";
import { count, percent } from "@/format/format";
import { releaseName, releaseTitle } from "@/format/releaseName";
import { strings } from "@/strings";

/** The effect of a call, as returned by the API's previews. The previews of changes of a flag have moves. */
export type Effect = Schemas["ChangePreview"] | Schemas["FlagPreview"];

const { effect: text } = strings;

/** Describes the devices that would get another value of a flag. */
export function moveSentence({ devices, from, to, fromVariant, toVariant }: Schemas["FlagMove"]): string {
  return text.move(count(devices), devices === 1, fromVariant ?? valueText(from), toVariant ?? valueText(to));
}

/** Returns a value without the name of a variation. A flag that does not exist yet has no value. */
const valueText = (value: unknown) => (value === null ? text.noValue : JSON.stringify(value));

/** Describes a changed release: its name, and its rollout percentage before and after. */
export function releaseSentence(release: Schemas["PreviewedRelease"]): string {
  const name = [release.updateId === null && text.newRelease, releaseTitle(release), strings.platforms[release.platform], release.runtimeVersion];
  const change = release.kind === "rollback_to_embedded" && release.before === null ? text.embedded : changed(release);
  return `${name.filter(Boolean).join(" · ")}: ${change}`;
}

function changed({ before, after }: Schemas["PreviewedRelease"]): string {
  const to = after === null ? text.deleted : state(after);
  return before === null ? text.added(to) : text.change(state(before), to);
}

function state(release: Schemas["PreviewedReleaseState"]): string {
  const share = release.isEnabled ? text.share(percent(release.rolloutPercentage)) : text.off;
  return release.isCritical === undefined ? share : text.critical(share, release.isCritical);
}

/** Describes a changed rollout: its state and percentage before and after. */
export function rolloutSentence({ release, policyName, before, after }: Schemas["PreviewedRollout"]): string {
  const at = (each: typeof after) => text.rolloutState(text.statuses[each.status], each.stageIndex + 1, percent(each.percentage));
  const name = release && [releaseTitle(release), strings.platforms[release.platform], release.runtimeVersion].join(" · ");
  return before === null ? `${text.newRollout(name, policyName)}: ${at(after)}` : `${text.rollout(name)}: ${text.change(at(before), at(after))}`;
}

/** Describes a linked flag that changes on a release. */
export function flagSentence({ flagKey, release, before, after }: Schemas["PreviewedFlag"]): string {
  if (before === null && after === null) return text.usesSegment(flagKey);
  const value = (link: typeof before) => (link === null ? text.notLinked : link.enabled ? String(link.value) : text.off);
  return `${text.flag(flagKey, release && releaseName(release))}: ${text.change(value(before), value(after))}`;
}

/** Returns a sentence about the channels that are paused, and a sentence about the channels that are resumed. */
export function channelSentences(channels: Schemas["PreviewedChannel"][]): string[] {
  const names = (isPaused: boolean) => channels.filter(({ after }) => after.isPaused === isPaused).map(({ name }) => name);
  return [text.pauses(names(true)), text.resumes(names(false))].filter((sentence) => sentence !== null);
}
