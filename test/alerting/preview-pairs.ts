import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { workspaceDatabases } from '../../src/app/workspace-databases.ts';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import type { AlertPreview } from '../../src/contract/alert/alert-preview.ts';
import { scopes } from '../../src/contract/operation.ts';
import { alertingVerbs } from '../../src/core/alerting/api/verbs.ts';
import { AuditTrail } from '../../src/core/audit/audit-trail.ts';
import { createQuery } from '../../src/core/query/index.ts';
import type { JsonObject } from '../../src/ports/store/document-store.ts';
import { documentBody } from '../kit/document-body.ts';
import { timeOf, type Timeline } from '../kit/timeline.ts';

/** An alert on a tile: `select` and `groupBy` are of the tile, `body` of the alert. */
export interface TileAlert {
  source: 'logs' | 'metrics';
  select: JsonObject[];
  asRatio?: boolean;
  groupBy?: string;
  body: JsonObject;
}

/** One window as `12:01 firing 3 breached`. */
export type Lines = string[];

/** Evaluates alerts window by window, and previews the same windows afterwards. */
export async function evaluatedAndPreviewed(
  t: Timeline,
  alerts: readonly TileAlert[],
  endTime: string,
): Promise<{ evaluated: Lines; previewed: Lines }[]> {
  const metricsId = await metricSource(t);
  const preview = previewer(t);
  const stored: { id: string; body: JsonObject }[] = [];
  for (const { source, select, asRatio, groupBy, body } of alerts) {
    const tile = await t.tile({
      displayType: 'line',
      select,
      ...(asRatio === true && { asRatio }),
      ...(groupBy !== undefined && { groupBy }),
      ...(source === 'metrics' && { sourceId: metricsId }),
    });
    const whole = { interval: '1m', source: 'tile', ...tile, ...body };
    stored.push({ id: await t.alert(whole), body: whole });
  }
  t.jump('12:01:05');
  await t.settle();
  await t.runUntil(endTime, 60_000);
  const pairs: { evaluated: Lines; previewed: Lines }[] = [];
  for (const { id, body } of stored) {
    const evaluated = await t.history(id);
    const { windows } = await preview(body, evaluated.length);
    pairs.push({
      evaluated,
      previewed: windows.map(
        ({ windowEnd, state, value, reason }) =>
          `${windowEnd.slice(11, 16)} ${state} ${value ?? '-'}${reason === null ? '' : ` ${reason}`}`,
      ),
    });
  }
  return pairs;
}

async function metricSource(t: Timeline): Promise<string> {
  const id = createIds({ now: t.now }).object();
  await t.store.documents.insert(t.workspaceId, {
    kind: 'source',
    id,
    body: documentBody({
      kind: 'metric',
      name: 'Metrics',
      from: { databaseName: 'sightline', tableName: 'otel_metrics' },
      timestampValueExpression: 'TimeUnix',
      metricTables: {
        gauge: 'otel_metrics_gauge',
        sum: 'otel_metrics_sum',
        histogram: 'otel_metrics_histogram',
      },
    }),
    sealed: null,
  });
  return id;
}

/** Previews a body like the API does. */
function previewer(t: Timeline): (body: JsonObject, windows: number) => Promise<AlertPreview> {
  const { store, telemetry, sender, vault, workspaceId } = t;
  const clock = { now: t.now };
  const log = createLog({ level: 'silent' });
  const ids = createIds(clock);
  const trail = new AuditTrail({ store, clock, ids, log });
  const query = createQuery({
    telemetry,
    workspaceDatabase: workspaceDatabases(store),
    clock,
    limits: { timeoutMs: 20_000 },
  });
  const verbs = alertingVerbs({
    store: trail.store,
    ids,
    query,
    sender,
    vault,
    egress: egressGuard({ allow: [] }),
    ingestDelayMs: 5000,
  });
  const workspace = {
    id: workspaceId,
    name: '',
    serviceId: '',
    organizationId: '',
    database: '',
    listedDatabases: [],
  };
  return async (body, windows) => {
    const { value } = await trail.invoke(verbs.previewAlert, {
      principal: {
        workspace,
        scopes: new Set(scopes),
        subject: { kind: 'system', id: 'test' },
      },
      requestId: 'r',
      params: {},
      query: {},
      body: { ...body, windows },
    });
    return value as AlertPreview;
  };
}

export const nanosecondText = (time: string): string =>
  new Date(timeOf(time)).toISOString().replace('T', ' ').replace('Z', '');
