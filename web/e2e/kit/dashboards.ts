import { callApi } from './call-api.ts';
import type { Page } from 'playwright-core';
import { hostileText } from './telemetry.ts';

/** A dashboard with a tile of each kind over the records of `shopRecords`. */
export function shopDashboard(sourceId: string, name = 'Shop'): object {
  const count = [{ aggFn: 'count' }];
  const errors = { aggFn: 'count', where: 'SeverityText:ERROR' };
  const tile = (title: string, place: number[], config: object): object => {
    const [x, y, w, h] = place;
    return { name: title, x, y, w, h, config: { sourceId, ...config } };
  };
  const byService = { groupBy: 'ServiceName' };
  return {
    name,
    tags: ['shop'],
    filters: [{ id: 'region', name: 'Region', expression: 'LogAttributes.region', sourceId }],
    tiles: [
      tile('Orders by service', [0, 0, 12, 4], {
        displayType: 'line',
        select: count,
        ...byService,
      }),
      tile('By severity', [12, 0, 12, 4], {
        displayType: 'stacked_bar',
        select: count,
        groupBy: 'SeverityText',
      }),
      tile('Records', [0, 4, 6, 3], { displayType: 'number', select: count }),
      tile('Share of errors', [6, 4, 6, 3], {
        displayType: 'number',
        select: [errors, { aggFn: 'count' }],
        asRatio: true,
        numberFormat: { output: 'percent', mantissa: 1 },
      }),
      tile('Services', [12, 4, 6, 3], { displayType: 'pie', select: count, ...byService }),
      {
        name: 'About',
        x: 18,
        y: 4,
        w: 6,
        h: 3,
        config: {
          displayType: 'markdown',
          markdown: `# The shop\n\nSee [the runbook](https://example.com/runbook) and **restart** nothing.\n\n${hostileText} [bad](javascript:alert(1)) ![pic](https://example.com/x.png)`,
        },
      },
      tile('Services and regions', [0, 7, 12, 4], {
        displayType: 'table',
        select: [
          { ...count[0], alias: 'records' },
          { ...errors, alias: 'errors' },
        ],
        groupBy: ['ServiceName', 'LogAttributes.region'],
      }),
      tile('Errors', [12, 7, 12, 4], {
        displayType: 'search',
        where: 'SeverityText:ERROR',
        select: 'ServiceName, Body',
      }),
    ],
  };
}

export async function makeDashboard(page: Page, body: object): Promise<string> {
  return (await callApi<{ id: string }>(page, 'POST', '/dashboards', body)).id;
}
