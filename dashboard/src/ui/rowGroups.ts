/** Returns the group of each row: the neighboring rows with the same key, in order. Without keys, each row is alone. */
export function rowGroups<T>(rows: T[], keyOf?: (row: T) => string): T[][] {
  const groups: T[][] = [];
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const group = groups[index - 1];
    if (keyOf && before !== undefined && group && keyOf(before) === keyOf(row)) {
      group.push(row);
      groups.push(group);
    } else {
      groups.push([row]);
    }
  });
  return groups;
}
