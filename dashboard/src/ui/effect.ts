import type { Schemas } from "@/api/client";
import { percent } from "@/format/format";
import { strings } from "@/strings";

/** What a call would change, as the API's previews answer it. */
export type Effect = Schemas["ChangePreview"];

const { effect: text } = strings;

/** A release that changes: which one, and its share before and after. */
export function releaseSentence(release: Schemas["PreviewedRelease"]): string {
  const name = [release.updateId === null ? text.newRelease : `#${release.updateId}`, release.releaseMessage, strings.platforms[release.platform], release.runtimeVersion];
  const change = release.kind === "rollback_to_embedded" && release.before === null ? text.embedded : text.change(state(release.before), state(release.after));
  return `${name.filter(Boolean).join(" · ")}: ${change}`;
}

function state(release: Schemas["PreviewedReleaseState"] | null): string {
  if (release === null) return text.absent;
  return release.isEnabled ? text.share(percent(release.rolloutPercentage)) : text.off;
}

/** A rollout that changes: its state and share before and after. */
export function rolloutSentence({ id, updateId, before, after }: Schemas["PreviewedRollout"]): string {
  const at = (each: typeof before) => text.rolloutState(text.statuses[each.status], each.stageIndex + 1, percent(each.percentage));
  return `${text.rollout(id, updateId)}: ${text.change(at(before), at(after))}`;
}

/** A linked flag that changes on a release. */
export function flagSentence({ flagKey, updateId, before, after }: Schemas["PreviewedFlag"]): string {
  const value = (link: typeof before) => (link === null ? text.notLinked : link.enabled ? String(link.value) : text.off);
  return `${text.flag(flagKey, updateId)}: ${text.change(value(before), value(after))}`;
}

/** The channels that are paused, and those that are resumed, in a sentence each. */
export function channelSentences(channels: Schemas["PreviewedChannel"][]): string[] {
  const names = (isPaused: boolean) => channels.filter(({ after }) => after.isPaused === isPaused).map(({ name }) => name);
  return [text.pauses(names(true)), text.resumes(names(false))].filter((sentence) => sentence !== null);
}
