import type { Client } from 'pg';
import { http } from '../kit/http.ts';
import { ingestionKey, type Deployment } from './deployment.ts';

const minuteMs = 60_000;
const services = 4;
const alertCount = 64;
const recordEveryMs = 5000;
/** On each side of the time of the call. */
const recordMinutes = 10;
/** Each goes to one shard of the cluster. */
const requests = 24;

/** Value of each alert in each window: the records of a service in a minute, on all shards. */
export const valueOfWindow = minuteMs / recordEveryMs;

/** Stores log records of the minutes before and after now, through every process that ingests. */
export async function sendLogs(deployment: Deployment): Promise<void> {
  const receivers = deployment.with('ingest');
  const startMs = Math.floor(Date.now() / minuteMs - recordMinutes) * minuteMs;
  const records = (2 * recordMinutes * minuteMs) / recordEveryMs;
  for (let request = 0; request < requests; request++) {
    const times = Array.from({ length: records }, (_, index) => index)
      .filter((index) => index % requests === request)
      .map((index) => startMs + index * recordEveryMs);
    const { status, text } = await http(
      'POST',
      `${receivers[request % receivers.length]!.otlpHttp}/v1/logs`,
      {
        headers: { authorization: ingestionKey },
        body: {
          resourceLogs: Array.from({ length: services }, (_, service) => ({
            resource: {
              attributes: [{ key: 'service.name', value: { stringValue: `service-${service}` } }],
            },
            scopeLogs: [
              {
                logRecords: times.map((timeMs) => ({
                  timeUnixNano: `${timeMs}000000`,
                  body: { stringValue: 'a record' },
                })),
              },
            ],
          })),
        },
      },
    );
    if (status !== 200) {
      throw new Error(text);
    }
  }
}

/** Alerts that fire in every window and notify each time; their ids. */
export async function createAlerts(deployment: Deployment, url: string): Promise<string[]> {
  const create = async (path: string, body: object): Promise<string> =>
    (await deployment.call<{ id: string }>('POST', path, body)).id;
  const sources = await deployment.call<{ id: string; kind: string }[]>('GET', '/sources');
  const sourceId = sources.find(({ kind }) => kind === 'log')!.id;
  const webhookId = await create('/webhooks', { name: 'all', service: 'generic', url });
  const searches: string[] = [];
  for (let service = 0; service < services; service++) {
    const where = `ServiceName:"service-${service}"`;
    searches.push(await create('/saved-searches', { name: where, sourceId, where }));
  }
  return Promise.all(
    Array.from({ length: alertCount }, (_, index) =>
      create('/alerts', {
        name: `alert ${index}`,
        source: 'search',
        savedSearchId: searches[index % services],
        interval: '1m',
        threshold: 1,
        thresholdType: 'above',
        renotifyInterval: '1m',
        channel: { type: 'webhook', webhookId },
      }),
    ),
  );
}

/** Lets the database note every write of an evaluation. An evaluation replaces an equal one. */
export async function noteEvaluations(metadata: Client): Promise<void> {
  await metadata.query(`
    CREATE TABLE noted (alert_id text, window_end_ms bigint, value double precision);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO noted VALUES (NEW.alert_id, NEW.window_end_ms, NEW.value); RETURN NEW; END
    $$;
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON alert_history
      FOR EACH ROW EXECUTE FUNCTION note()`);
}

export interface NotedEvaluation {
  alertId: string;
  windowEndMs: number;
  value: number;
}

export async function notedEvaluations(metadata: Client): Promise<NotedEvaluation[]> {
  const { rows } = await metadata.query<{ alert_id: string; window_end_ms: string; value: number }>(
    'SELECT * FROM noted ORDER BY alert_id, window_end_ms',
  );
  return rows.map(({ alert_id, window_end_ms, value }) => ({
    alertId: alert_id,
    windowEndMs: Number(window_end_ms),
    value,
  }));
}

export async function pendingNotifications(metadata: Client): Promise<number> {
  const { rows } = await metadata.query<{ count: string }>(
    "SELECT count(*) FROM alert_outbox WHERE status = 'pending'",
  );
  return Number(rows[0]!.count);
}
