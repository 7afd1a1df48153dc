import { number } from "@/format/format";
import { conditionSentence } from "@/targeting/conditions";
import type { RuleBody } from "./draft";
import { strings } from "./strings";

const text = strings.sentence;

/** Returns the name of a value: its variation's name, otherwise the value itself. */
export function nameOf(value: string | null | undefined, variations: { name: string; value: string }[]): string {
  return variations.find((each) => each.value === value)?.name || (value ?? text.noValue);
}

/**
 * Returns a rule in words: 10% of devices whose platform is ios and whose version is 2 or later get B. After the last rule, the rest
 * of a split gets the default. isLast is null if that is unknown.
 */
export function ruleSentence(
  rule: RuleBody,
  variations: { name: string; value: string }[],
  segments: { key: string; name: string }[] = [],
  isLast: boolean | null = false,
): string {
  const channel = rule.channelName ? text.onChannel(rule.channelName) : "";
  const who = whoOf(rule, segments);
  const rollout = rule.ruleConfig.rollout ?? [];
  if (rollout.length === 0) return `${channel}${capital(who)} ${text.get(nameOf(rule.variantValue, variations))}.`;
  const shares = rollout.map(({ weight, variantValue }, index) => text.share(number(weight), index === 0 ? who : null, nameOf(variantValue, variations)));
  const sum = rollout.reduce((all, { weight }) => all + weight, 0);
  const restText = isLast === null ? text.restOfAny : isLast ? text.restOfLast : text.rest;
  const rest = sum < 100 ? restText(number(100 - sum)) : "";
  return `${channel}${list(shares)}${rule.ruleConfig.bucketBy ? text.splitBy(rule.ruleConfig.bucketBy) : ""}${rest}.`;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function whoOf({ ruleType, ruleConfig }: RuleBody, segments: { key: string; name: string }[]): string {
  switch (ruleType) {
    case "percentage_rollout":
      return text.devices;
    case "user_list": {
      const users = ruleConfig.userIds as unknown;
      const ids = Array.isArray(users) ? (users as string[]) : typeof users === "string" ? users.split(",") : [];
      const shown = ids.slice(0, 3).map((id) => `“${id}”`);
      return text.users(ids.length > 3 ? `${shown.join(", ")} ${text.andMore(ids.length - 3)}` : list(shown));
    }
    case "attribute":
      return text.whose((ruleConfig.conditions ?? []).map(conditionSentence));
    case "segment":
      return text.inSegment(segments.find(({ key }) => key === ruleConfig.segmentKey)?.name ?? ruleConfig.segmentKey ?? "");
    default: {
      const { branch, updateUuid, runtimeVersion, updatedWithinDays } = ruleConfig;
      const parts = [
        branch && text.branch(branch),
        updateUuid && text.update(updateUuid),
        runtimeVersion && text.runtime[runtimeVersion.operator](runtimeVersion.value),
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
