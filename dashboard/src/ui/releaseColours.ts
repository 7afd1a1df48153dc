/** A colour of the theme that belongs to a release. */
export type ReleaseColour = `release-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

const colours = 12;

/** Returns the place of the release's own colour. Releases that were published after each other have different places. */
const placeOf = (id: number) => Math.floor(((Math.imul(id, 0x9e3779b1) >>> 0) / 2 ** 32) * colours);

/**
 * Returns the colours of releases by ID. They depend on the IDs only, not on the order of `ids`, so that a release keeps its colour
 * when another one overtakes it. If two releases have the same colour, the newer one gets the next free colour.
 */
export function releaseColours(ids: Iterable<number>): Map<number, ReleaseColour> {
  const chosen = new Map<number, ReleaseColour>();
  const taken = new Set<number>();
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    let place = placeOf(id);
    if (taken.size === colours) taken.clear();
    while (taken.has(place)) place = (place + 1) % colours;
    taken.add(place);
    chosen.set(id, `release-${place + 1}` as ReleaseColour);
  }
  return chosen;
}
