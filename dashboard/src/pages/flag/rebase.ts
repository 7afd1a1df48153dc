import type { Draft } from "./draft";

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Applies my changes, additions and removals since `before` to their list. If both changed an item, mine wins. */
function rebasedList<T>(before: T[], mine: T[], theirs: T[], keyOf: (item: T) => string): T[] {
  const find = (list: T[], key: string) => list.find((each) => keyOf(each) === key);
  const kept = theirs.filter((each) => find(mine, keyOf(each)) || !find(before, keyOf(each)));
  const merged = kept.map((each) => {
    const own = find(mine, keyOf(each));
    return own !== undefined && !same(own, find(before, keyOf(each))) ? own : each;
  });
  // An item that they removed and I changed comes back as a new item at the end.
  const others = mine.filter((own) => !find(theirs, keyOf(own)) && !same(own, find(before, keyOf(own))));
  const all = [...merged, ...others];
  const order = (list: T[]) => list.map(keyOf).filter((key) => find(before, key) && find(all, key));
  if (same(order(mine), order(before))) return all;
  // If I changed the order, my items keep my order and their new items follow.
  const moved = mine.flatMap((own) => find(all, keyOf(own)) ?? []);
  return [...moved, ...all.filter((each) => !find(mine, keyOf(each)))];
}

/** Applies the changes of my draft, which is based on `before`, to the version that someone else has stored since. */
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

/** Returns a function that removes an item's ID if the item is no longer stored. */
function asNew<T extends { key: string; id: number | null }>(stored: T[]) {
  return (item: T): T => (item.id !== null && !stored.some(({ id }) => id === item.id) ? { ...item, id: null } : item);
}
