import type { Draft } from "./draft";

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A list with what I changed, added and removed since `before`, on top of theirs. What both have changed is as I have it. */
function rebasedList<T>(before: T[], mine: T[], theirs: T[], keyOf: (item: T) => string): T[] {
  const find = (list: T[], key: string) => list.find((each) => keyOf(each) === key);
  const kept = theirs.filter((each) => find(mine, keyOf(each)) || !find(before, keyOf(each)));
  const merged = kept.map((each) => {
    const own = find(mine, keyOf(each));
    return own !== undefined && !same(own, find(before, keyOf(each))) ? own : each;
  });
  // What they removed comes back when I changed it: as a new one, which has no place in theirs.
  const others = mine.filter((own) => !find(theirs, keyOf(own)) && !same(own, find(before, keyOf(own))));
  const all = [...merged, ...others];
  const order = (list: T[]) => list.map(keyOf).filter((key) => find(before, key) && find(all, key));
  if (same(order(mine), order(before))) return all;
  // I moved some: mine stand as I have them, theirs follow.
  const moved = mine.flatMap((own) => find(all, keyOf(own)) ?? []);
  return [...moved, ...all.filter((each) => !find(mine, keyOf(each)))];
}

/** My draft, which was made of `before`, on top of what somebody else stored meanwhile. */
export function rebased(before: Draft, mine: Draft, theirs: Draft): Draft {
  const pick = <K extends "name" | "description" | "enabled" | "defaultValue">(field: K): Draft[K] =>
    mine[field] === before[field] ? theirs[field] : mine[field];
  const rules = rebasedList(before.rules, mine.rules, theirs.rules, ({ key }) => key);
  return {
    name: pick("name"),
    description: pick("description"),
    enabled: pick("enabled"),
    defaultValue: pick("defaultValue"),
    variations: rebasedList(before.variations, mine.variations, theirs.variations, ({ key }) => key).map(asNew(theirs.variations)),
    rules: rules.map(asNew(theirs.rules)),
    environments: theirs.environments.map((each) => {
      const own = mine.environments.find(({ channelName }) => channelName === each.channelName);
      const old = before.environments.find(({ channelName }) => channelName === each.channelName);
      if (!own || !old) return each;
      return {
        ...each,
        ...(own.enabled !== old.enabled && { enabled: own.enabled }),
        ...(own.defaultValue !== old.defaultValue && { defaultValue: own.defaultValue }),
      };
    }),
  };
}

/** Without its id when it is not stored any more. */
function asNew<T extends { key: string; id: number | null }>(stored: T[]) {
  return (item: T): T => (item.id !== null && !stored.some(({ id }) => id === item.id) ? { ...item, id: null } : item);
}
