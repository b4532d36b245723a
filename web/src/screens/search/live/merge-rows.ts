import type { SearchRow } from '../../../api/queries/search.ts';

/** More would fill the memory of a page that stays open. */
const keptMax = 5000;

/** New rows before the known ones, each once, newest first. */
export function merged(
  found: readonly SearchRow[],
  known: readonly SearchRow[],
): readonly SearchRow[] {
  const ids = new Set(known.map(({ _id }) => _id));
  const added = found.filter(({ _id }) => !ids.has(_id));
  if (added.length === 0) {
    return known;
  }
  return [...added, ...known].sort(newestFirst).slice(0, keptMax);
}

function newestFirst(a: SearchRow, b: SearchRow): number {
  const left = a._id ?? '';
  const right = b._id ?? '';
  if (left === right) {
    return 0;
  }
  return left < right ? 1 : -1;
}
