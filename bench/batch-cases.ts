import type { BatchedRequest } from '../src/core/query/index.ts';
import { ChartRequest } from '../src/contract/query/chart.ts';
import { TotalsRequest } from '../src/contract/query/totals.ts';
import { datasetStart } from './dataset.ts';

/** A hundred tiles of one log source, as dashboards have them: lines, bars, tables and numbers. */
export function hundredTiles(sourceId: string): BatchedRequest[] {
  const range = { startTime: datasetStart + 1000, endTime: datasetStart + 86_400_000 };
  const services = ['frontend', 'gateway', 'cart', 'catalog', 'checkout', 'payment', 'search'];
  const conditions = [
    '',
    'SeverityText:"ERROR"',
    'SeverityText:"WARN"',
    'Body:timeout',
    'LogAttributes.http.route:"/cart"',
  ];
  const groups = [[], ['ServiceName'], ['SeverityText'], ['LogAttributes.http.route']];
  return Array.from({ length: 100 }, (_, index): BatchedRequest => {
    const where =
      `${conditions[index % 5]!} ServiceName:"${services[index % services.length]!}"`.trim();
    const groupBy = groups[index % 4]!;
    const series = [{ sourceId, aggFn: 'count', where: index < 10 ? '' : where, groupBy }];
    return index % 3 === 0
      ? { type: 'totals', request: TotalsRequest.parse({ ...range, series }) }
      : {
          type: 'series',
          request: ChartRequest.parse({ ...range, granularity: '30m', series, limit: 20 }),
        };
  });
}
