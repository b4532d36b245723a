import type { AlertInput } from '../contract/alert/alert.ts';
import type { DashboardInput } from '../contract/dashboard/dashboard.ts';
import type { TileConfig } from '../contract/dashboard/tile.ts';
import type { WebhookInput } from '../contract/webhook/webhook.ts';
import type { z } from 'zod';

/** The default sources, by what they read. */
export interface DemoSources {
  logs: string;
  traces: string;
  metrics: string;
}

/** The tile the demo's alert watches. */
export const alertTileName = 'Payment errors';

type Built = Extract<TileConfig, { sourceId: string; select: unknown[] }>;
type Tile = z.input<typeof DashboardInput>['tiles'] extends (infer T) | undefined
  ? Extract<T, unknown[]>[number]
  : never;

/** Body of `POST /api/v2/dashboards`: the shop at a glance. */
export function demoDashboard({
  logs,
  traces,
  metrics,
}: DemoSources): z.input<typeof DashboardInput> {
  const chart = (
    name: string,
    [x, y, w, h]: Box,
    displayType: Built['displayType'],
    sourceId: string,
    rest: Omit<Built, 'displayType' | 'sourceId'>,
  ): Tile => ({ name, x, y, w, h, config: { displayType, sourceId, ...rest } });
  return {
    name: 'Shop (demo)',
    tags: ['demo'],
    tiles: [
      {
        name: 'About',
        x: 0,
        y: 0,
        w: 6,
        h: 4,
        config: { displayType: 'markdown', markdown: aboutText },
      },
      chart('Requests', [6, 0, 9, 4], 'line', traces, {
        select: [{ aggFn: 'count', where: 'SpanKind:"Server"' }],
        groupBy: 'ServiceName',
      }),
      chart('Slowest twentieth (p95)', [15, 0, 9, 4], 'line', traces, {
        select: [
          {
            aggFn: 'quantile',
            level: 0.95,
            valueExpression: 'Duration',
            where: 'SpanKind:"Server"',
          },
        ],
        groupBy: 'ServiceName',
        numberFormat: { output: 'duration', factor: 1e-9 },
      }),
      chart('Share of failed pages', [0, 4, 6, 3], 'number', traces, {
        select: [
          { aggFn: 'count', where: 'ServiceName:"frontend" StatusCode:"Error" SpanKind:"Server"' },
          { aggFn: 'count', where: 'ServiceName:"frontend" SpanKind:"Server"' },
        ],
        asRatio: true,
        numberFormat: { output: 'percent', mantissa: 1 },
      }),
      chart(alertTileName, [6, 4, 9, 3], 'line', logs, {
        select: [{ aggFn: 'count', where: 'ServiceName:"payment" SeverityText:"ERROR"' }],
        granularity: '1m',
      }),
      chart('Logs by severity', [15, 4, 9, 3], 'stacked_bar', logs, {
        select: [{ aggFn: 'count' }],
        groupBy: 'SeverityText',
      }),
      chart('Orders', [0, 7, 8, 4], 'stacked_bar', metrics, {
        select: [{ aggFn: 'sum', metricName: 'shop.orders', metricType: 'sum' }],
        groupBy: 'Attributes.outcome',
      }),
      chart('Page time, p95', [8, 7, 8, 4], 'line', metrics, {
        select: [
          {
            aggFn: 'quantile',
            level: 0.95,
            metricName: 'http.server.request.duration',
            metricType: 'histogram',
          },
        ],
        numberFormat: { output: 'duration' },
      }),
      chart('Active carts', [16, 7, 8, 4], 'line', metrics, {
        select: [{ aggFn: 'max', metricName: 'shop.carts.active', metricType: 'gauge' }],
      }),
      chart('Operations', [0, 11, 12, 5], 'table', traces, {
        select: [
          { aggFn: 'count', alias: 'calls' },
          { aggFn: 'avg', valueExpression: 'Duration', alias: 'mean ns' },
          { aggFn: 'max', valueExpression: 'Duration', alias: 'longest ns' },
        ],
        groupBy: ['ServiceName', 'SpanName'],
      }),
      {
        name: 'Recent errors',
        x: 12,
        y: 11,
        w: 12,
        h: 5,
        config: {
          displayType: 'search',
          sourceId: logs,
          where: 'SeverityText:"ERROR"',
          select: 'Timestamp, ServiceName, Body',
        },
      },
    ],
  };
}

/** Body of `POST /api/v2/webhooks`: the receiver of the demo. */
export function demoWebhook(url: string): z.input<typeof WebhookInput> {
  return {
    name: 'Demo shop',
    service: 'generic',
    url,
    description: 'The server itself counts what arrives here.',
  };
}

/** Body of `POST /api/v2/alerts`: fires when payment fails, resolves when it has recovered. */
export function demoAlert({
  dashboardId,
  tileId,
  webhookId,
}: {
  dashboardId: string;
  tileId: string;
  webhookId: string;
}): z.input<typeof AlertInput> {
  return {
    name: 'Payment is failing',
    message: 'Payment logged 5 errors or more within a minute. See the dashboard "Shop (demo)".',
    source: 'tile',
    dashboardId,
    tileId,
    interval: '1m',
    threshold: 5,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId },
  };
}

type Box = [x: number, y: number, w: number, h: number];

const aboutText = `# A simulated shop

Seven services send traces, logs and metrics over OTLP to this very server.
For 90 seconds in every six minutes **payment** has an incident: the bank answers late or not at all.`;
