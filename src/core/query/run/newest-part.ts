import type { SearchPlan } from '../plan/plan-search.ts';
import { conjuncts, isCompact, type Condition } from '../where/condition.ts';

/** The newest part of a range is one of this many, … */
const parts = 32;
/** … and at most this long, so that reading it in vain costs little. */
const longestMs = 600_000;
/** Over a shorter range, a second statement costs more than reading everything in one. */
const longRangeMs = 3 * 3_600_000;

/**
 * The second from which on a search reads first, because the rows since then may fill its page.
 * Undefined if the whole range is read at once.
 */
export function newestSecond({
  range: { fromMs, toMs },
  cursor,
  order,
  condition,
}: Pick<SearchPlan, 'range' | 'cursor' | 'order' | 'condition'>): number | undefined {
  const endMs = cursor ? Math.min(toMs, Number(BigInt(cursor.nanos) / 1_000_000n)) : toMs;
  // Conditions on services, severities and numbers seldom match very few rows.
  const isWorthIt = endMs - fromMs >= longRangeMs ? !hasRarePart(condition) : isCompact(condition);
  if (order.length > 0 || !isWorthIt) {
    return undefined;
  }
  const second = Math.floor((endMs - Math.min((endMs - fromMs) / parts, longestMs)) / 1000);
  return second * 1000 > fromMs ? second : undefined;
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
