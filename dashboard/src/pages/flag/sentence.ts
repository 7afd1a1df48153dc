import { number } from "@/format/format";
import { conditionSentence, quoted } from "@/targeting/conditions";
import type { RuleBody } from "./draft";
import { strings } from "./strings";

const text = strings.sentence;

/** Returns the name of a value: its variation's name, otherwise the value itself. */
export function nameOf(value: string | null | undefined, variations: { name: string; value: string }[]): string {
  return variations.find((each) => each.value === value)?.name || (value ?? text.noValue);
}

/** Returns a rule in words: Users “ada” and “grace” get On. After the last rule, the rest of a split gets the default. */
export function ruleSentence(rule: RuleBody, variations: { name: string; value: string }[], segments: { key: string; name: string }[] = [], isLast = false): string {
  const channel = rule.channelName ? text.onChannel(rule.channelName) : "";
  if (rule.ruleType === "percentage_rollout") {
    const shares = (rule.ruleConfig.rollout ?? []).map((share) => text.share(number(share.weight), nameOf(share.variantValue, variations)));
    const sum = (rule.ruleConfig.rollout ?? []).reduce((all, { weight }) => all + weight, 0);
    const rest = sum < 100 ? (isLast ? text.restOfLast : text.rest)(number(100 - sum)) : "";
    return `${channel}${text.split(rule.ruleConfig.bucketBy)} ${list(shares)}${rest}.`;
  }
  const value = nameOf(rule.variantValue, variations);
  return `${channel}${whoOf(rule, segments)} ${rule.ruleType === "user_list" ? text.get(value) : text.gets(value)}.`;
}

function whoOf({ ruleType, ruleConfig }: RuleBody, segments: { key: string; name: string }[]): string {
  switch (ruleType) {
    case "user_list": {
      const users = ruleConfig.userIds as unknown;
      const ids = Array.isArray(users) ? (users as string[]) : typeof users === "string" ? users.split(",") : [];
      const shown = ids.slice(0, 3).map(quoted);
      return text.users(ids.length > 3 ? `${shown.join(", ")} ${text.andMore(ids.length - 3)}` : list(shown));
    }
    case "attribute":
      return text.when((ruleConfig.conditions ?? []).map(conditionSentence).join(` ${text.and} `));
    case "segment":
      return text.inSegment(segments.find(({ key }) => key === ruleConfig.segmentKey)?.name ?? ruleConfig.segmentKey ?? "");
    default: {
      const { branch, updateUuid, runtimeVersion, updatedWithinDays } = ruleConfig;
      const parts = [
        branch && text.branch(branch),
        updateUuid && text.update(updateUuid),
        runtimeVersion && text.runtime(text.versionOperators[runtimeVersion.operator], runtimeVersion.value),
        updatedWithinDays !== undefined && text.within(number(updatedWithinDays)),
      ].filter((part) => typeof part === "string" && part !== "");
      return text.running(parts.join(` ${text.and} `));
    }
  }
}

function list(parts: string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} ${text.and} ${parts.at(-1)}`;
}
