import type { Schemas } from "@/api/client";
import { actorTitle } from "@/format/actions";
import { strings as frame } from "@/strings";
import { changesOf, isChange, type Change } from "./changes";
import { sentences, strings } from "./strings";
import { fieldName, inWords } from "./words";

export type Entry = Pick<Schemas["AuditEntry"], "action" | "actorType" | "actorId" | "actorName" | "subject" | "details">;

/** An entry of the audit log in words. */
export interface Telling {
  actor: string;
  /** The words before and after the subject. Without a subject in the sentence, `after` is null. */
  before: string;
  after: string | null;
  subject: string;
  /** The reason or comment of the change, or "". */
  reason: string;
  changes: Change[];
  /** Details that neither the sentence nor the changes contain. */
  others: Change[];
}

/** Details that repeat what the sentence says, and numbers that only Waft uses. */
const hidden = new Set([
  "reason", "comment", "error", "changes", "changed", "name", "key", "flagKey", "flagId", "email", "summary", "ruleType", "ruleConfig",
  "priority", "variantValue", "channelName", "updateId", "fromStage", "toStage", "reverted", "message", "releaseMessage", "platform",
  "runtimeVersion", "action", "targetingKey", "scheduleId", "approvalId", "variationNames",
]);

/** Changed fields that a sentence tells completely. */
const told = ["isPaused", "isEnabled", "role"];

/** Returns what an action did to a subject in words, such as “turned it off”. */
export function deed({ action, details }: Pick<Entry, "action" | "details">, subject: string): string {
  return sentenceOf({ action, actorName: "", details }, wordsOf(details)).replace("{subject}", subject);
}

function wordsOf(details: Entry["details"], used = new Set<string>()) {
  return (name: string) => {
    used.add(name);
    const value = isChange(details[name]) ? details[name].after : details[name];
    return value === undefined || value === null ? "" : inWords(name, value);
  };
}

/** Returns an entry of the audit log in words. */
export function telling(entry: Entry): Telling {
  const { action, details } = entry;
  const used = new Set<string>();
  const words = wordsOf(details, used);
  const sentence = sentenceOf(entry, words);
  const [before = "", after = null] = sentence.split("{subject}");
  const reason = [details.reason, details.comment, details.error].find((each) => typeof each === "string" && each !== "");
  return {
    actor: actorOf(entry),
    before,
    after,
    subject: subjectOf(entry.subject),
    reason: (reason as string | undefined) ?? "",
    changes: changesOf(action, details).filter(({ name }) => !told.some((field) => used.has(field) && name === fieldName(field))),
    others: isChange(details)
      ? []
      : Object.entries(details)
          .filter(([name, value]) => !used.has(name) && !hidden.has(name) && !isChange(value) && value !== null && value !== "")
          .map(([name, value]) => ({ name: fieldName(name), text: inWords(name, value) })),
  };
}

/** Returns the sentence of an action. An unknown action is shown by its name. A person who accepted an invitation joins. */
function sentenceOf({ action, actorName, details }: Pick<Entry, "action" | "actorName" | "details">, words: (name: string) => string): string {
  if (action === "member.added" && details.email === actorName) return strings.joined(words);
  const sentence = sentences[action];
  return sentence ? sentence(words) : `${action.replace(/[._]/g, " ")} {subject}`;
}

/** Returns the name of an entry's actor. */
export function actorOf({ actorType, actorId, actorName }: Pick<Entry, "actorType" | "actorId" | "actorName">): string {
  if (actorType === "system") return strings.system;
  if (actorType === "user") return actorName || actorId;
  return actorId === "root" ? actorTitle(actorId) : strings.key(actorName || actorId);
}

/** Returns the record that an entry is about in words: the flag new-checkout, the release “Faster start” (iOS 1.4.0). */
export function subjectOf({ kind, id, name, platform, runtimeVersion }: Entry["subject"]): string {
  const platforms: Record<string, string> = frame.platforms;
  const target = platform && runtimeVersion ? strings.target(platforms[platform] ?? platform, runtimeVersion) : "";
  const kindWords = strings.kinds[kind] ?? "";
  if (kind === "release" || kind === "rollout" || kind === "build") {
    const number = kind === "rollout" ? "" : strings.number(id);
    return [kindWords, name ? strings.quoted(name) : kind === "rollout" ? strings.unnamed : number, target && `(${target})`].filter(Boolean).join(" ");
  }
  if (kind === "incident") return [name ? strings.incidentOf(name) : kindWords, !name && strings.number(id), target && `(${target})`].filter(Boolean).join(" ");
  if (kind === "approval") return name || strings.number(id);
  if (kind === "project") return kindWords;
  // A person does not know sessions by number.
  return [kindWords, name || (id && kind !== "session" && strings.number(id))].filter(Boolean).join(" ");
}
