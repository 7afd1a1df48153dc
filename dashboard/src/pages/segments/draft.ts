import type { Schemas } from "@/api/client";
import { conditionDraft, conditionOf, conditionSentence, emptyCondition, isCompleteCondition, type ConditionDraft } from "@/targeting/conditions";
import { strings } from "./strings";

type Segment = Schemas["Segment"];

export interface Draft {
  name: string;
  key: string;
  description: string;
  matchType: "all" | "any";
  conditions: ConditionDraft[];
}

export function draftOf(segment?: Segment): Draft {
  if (!segment) return { name: "", key: "", description: "", matchType: "all", conditions: [emptyCondition()] };
  const { name, key, description, matchType } = segment;
  return { name, key, description, matchType, conditions: segment.conditions.map((each) => conditionDraft({ ...each, values: each.valuesJson })) };
}

export const isComplete = (draft: Draft) => draft.name.trim() !== "" && draft.conditions.every(isCompleteCondition);

/** Returns the segment in the API's format. An existing segment is sent without its key. */
export function bodyOf(draft: Draft, isNew: boolean): Schemas["CreateSegmentBody"] {
  return {
    name: draft.name.trim(),
    ...(isNew && draft.key.trim() && { key: draft.key.trim() }),
    description: draft.description.trim(),
    matchType: draft.matchType,
    conditions: draft.conditions.map(conditionOf).map(({ attribute, operator, values }) => ({ attribute, operator, valuesJson: values ?? [] })),
  };
}

/** Returns the conditions in words. */
export function segmentSentence(segment: Segment): string {
  if (segment.conditions.length === 0) return strings.everybody;
  return segment.conditions.map((each) => conditionSentence({ ...each, values: each.valuesJson })).join(` ${strings.words[segment.matchType]} `);
}

/** Returns the flags that use the segment, each flag once. */
export function flagsOf(segment: Segment): { id: number; key: string }[] {
  return [...new Map(segment.referencedBy.map(({ flagId, flagKey }) => [flagId, { id: flagId, key: flagKey }])).values()];
}
