/** Lists of the items with the same key, in the order of their first items. */
export function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const lists = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    if (list) {
      list.push(item);
    } else {
      lists.set(key, [item]);
    }
  }
  return lists;
}
