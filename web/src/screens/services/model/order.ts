import type { Figures } from './figures.ts';

export const orderNames = ['name', 'calls', 'errors', 'p50', 'p95', 'p99'] as const;
export type OrderName = (typeof orderNames)[number];

/** How a list is ordered; without a column, worst first. */
export interface Order {
  column: OrderName | undefined;
  /** Least first; names are. */
  isUp: boolean;
}

/** 95 % of a normal distribution lie within this many standard deviations. */
const z = 1.96;

/**
 * The share of errors that a list ranks by: the lower end of Wilson's interval. One error of one
 * request says less than 500 of 1000.
 */
export function badness({ calls, errors }: Pick<Figures, 'calls' | 'errors'>): number {
  if (calls === 0 || errors === 0) {
    return 0;
  }
  const share = errors / calls;
  const middle = share + (z * z) / (2 * calls);
  const spread = z * Math.sqrt((share * (1 - share)) / calls + (z * z) / (4 * calls * calls));
  return (middle - spread) / (1 + (z * z) / calls);
}

/** A list in order; equal ones by name. */
export function ordered<T extends Figures>(list: readonly T[], { column, isUp }: Order): T[] {
  const byName = (one: T, other: T): number => one.name.localeCompare(other.name);
  if (column === 'name') {
    return list.toSorted((one, other) => (isUp ? -1 : 1) * byName(other, one));
  }
  const sign = isUp ? 1 : -1;
  const values = (one: T): (number | undefined)[] =>
    column === undefined ? [badness(one), one.p95] : [valueOf(one, column)];
  return list.toSorted((one, other) => {
    const others = values(other);
    const difference = values(one).map((value, index) => compared(value, others[index], sign));
    return difference.find((each) => each !== 0) ?? byName(one, other);
  });
}

function valueOf(one: Figures, column: Exclude<OrderName, 'name'>): number | undefined {
  if (column === 'errors') {
    return one.calls === 0 ? undefined : one.errors / one.calls;
  }
  return one[column];
}

/** What has no value comes last, either way. */
function compared(one: number | undefined, other: number | undefined, sign: number): number {
  return one === undefined || other === undefined
    ? Number(one === undefined) - Number(other === undefined)
    : sign * (one - other);
}
