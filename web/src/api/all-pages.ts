/** Items of one page of a list: the most that the API returns, and what it returns by default. */
const pageSize = 1000;

/** All items of a list, page after page. */
export async function allPages<T>(page: (offset: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const items = await page(all.length);
    all.push(...items);
    if (items.length < pageSize) {
      return all;
    }
  }
}
