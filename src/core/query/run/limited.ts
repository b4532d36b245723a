import type { DataPoint } from '../../../contract/query/chart.ts';
import type { TotalsRequest, TotalsResult, TotalsRow } from '../../../contract/query/totals.ts';
import { outsideGroups, withinGroups, withoutBuckets } from '../plan/among-groups.ts';
import type { Plan } from '../plan/plan.ts';
import { dataPoints, type SeriesRow } from './points.ts';

type Run = (plan: Plan) => Promise<SeriesRow[]>;

/** One row for each group over the whole range, and the groups beyond the limit as one. */
export async function totals(
  plan: Plan,
  { orderBy, limit, other }: Pick<TotalsRequest, 'orderBy' | 'limit' | 'other'>,
  run: Run,
): Promise<TotalsResult> {
  const points = ranked(dataPoints(plan, await run(plan)), orderBy);
  const top = points.slice(0, limit);
  const beyond = points.length > limit;
  const [rest] = beyond && other ? await run(outsideGroups(plan, groupsOf(top))) : [];
  return {
    rows: top.map(totalsRow),
    ...(rest && { other: totalsRow(dataPoints({ ...plan, grouped: false }, [rest])[0]) }),
    groups: points.length,
  };
}

function totalsRow(point: DataPoint | undefined): TotalsRow {
  const { ts_bucket: _, ...row } = point ?? { ts_bucket: 0 };
  return row as TotalsRow;
}

/**
 * The points of the groups with the greatest value of the first series over the whole range, and
 * those of all other groups as one.
 */
export async function limitedPoints(
  plan: Plan,
  { limit, other }: { limit: number; other: boolean },
  run: Run,
): Promise<DataPoint[]> {
  const whole = withoutBuckets({ ...plan, ratio: false });
  const points = ranked(dataPoints(whole, await run(whole)), { series: 0, direction: 'desc' });
  if (points.length <= limit) {
    return dataPoints(plan, await run(plan));
  }
  const top = groupsOf(points.slice(0, limit));
  const [within, outside] = await Promise.all([
    run(withinGroups(plan, top)),
    other ? run(outsideGroups(plan, top)) : [],
  ]);
  const rest = dataPoints({ ...plan, grouped: false }, outside).map((point): DataPoint => ({
    ...point,
    group: [],
    other: true,
  }));
  return [...dataPoints(plan, within), ...rest].sort(
    (left, right) => left.ts_bucket - right.ts_bucket,
  );
}

const groupsOf = (points: readonly DataPoint[]): string[][] =>
  points.map(({ group }) => group ?? []);

/** Points without a value are last. The order of equal ones stays. */
function ranked(points: DataPoint[], { series, direction }: TotalsRequest['orderBy']): DataPoint[] {
  const sign = direction === 'asc' ? 1 : -1;
  const valueOf = (point: DataPoint): number | undefined => {
    const value = point[`series_${series}.data`];
    return typeof value === 'number' ? value : undefined;
  };
  return points.toSorted((left, right) => {
    const [one, another] = [valueOf(left), valueOf(right)];
    if (one === undefined || another === undefined) {
      return Number(one === undefined) - Number(another === undefined);
    }
    return sign * (one - another);
  });
}
