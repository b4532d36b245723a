import type { TimeRange } from '../plan/bucket.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import { conjuncts, isCompact, type Condition } from '../where/condition.ts';

/** The newest part of a range is one of this many, … */
const parts = 32;
/** … and at most this long, so that reading it in vain costs little. */
const longestMs = 600_000;
/** Over a shorter range with fewer rows, a second statement costs more than reading all in one. */
const longRangeMs = 3 * 3_600_000;
const manyRows = 3_000_000;

/** About how many rows of the table are in a range. */
export type CountRows = (range: TimeRange) => Promise<number>;

/**
 * The second from which on a search reads first, because the rows since then may fill its page.
 * Undefined if the whole range is read at once.
 */
export async function newestSecond(
  {
    range: { fromMs, toMs },
    cursor,
    order,
    condition,
  }: Pick<SearchPlan, 'range' | 'cursor' | 'order' | 'condition'>,
  countRows: CountRows,
): Promise<number | undefined> {
  const endMs = cursor ? Math.min(toMs, Number(BigInt(cursor.nanos) / 1_000_000n)) : toMs;
  const second = Math.floor((endMs - Math.min((endMs - fromMs) / parts, longestMs)) / 1000);
  if (order.length > 0 || second * 1000 <= fromMs || hasRarePart(condition)) {
    return undefined;
  }
  // Conditions on services, severities and numbers seldom match very few rows.
  const isWorthIt =
    isCompact(condition) ||
    endMs - fromMs >= longRangeMs ||
    (await countRows({ fromMs, toMs: endMs })) >= manyRows;
  return isWorthIt ? second : undefined;
}

/** Few rows have one value of a text that no dictionary holds, such as a trace id. */
function hasRarePart(condition: Condition): boolean {
  return conjuncts(condition).some((part) => {
    if (part.kind !== 'equals') {
      return false;
    }
    const { expression, type } = part.operand;
    const isColumn = expression.kind === 'field' && expression.field.kind === 'column';
    return isColumn && type.base === 'string' && type.compact !== true;
  });
}
