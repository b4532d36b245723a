import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KafkaPeer } from './kafka.ts';
import type { Program, Server } from './program.ts';
import type { S3Peer } from './s3.ts';

export const credentials = {
  organizationId: '0b0e7c5e-6a53-4d34-9d5b-1c1f0a6f2a01',
  serviceId: '0b0e7c5e-6a53-4d34-9d5b-1c1f0a6f2a02',
  keyId: 'key-of-the-backup-test',
  keySecret: 'secret-of-the-backup-test-000000',
  accessKey: 'slp_backup_access_key_00000000000000000000',
  ingestionKey: 'sli_backup_ingestion_key_000000000000000',
};

/** Settings of every server of the test. */
export const environment = {
  SIGHTLINE_SECRET_KEY: '5a'.repeat(32),
  SIGHTLINE_CLICKHOUSE_DATABASE: 'telemetry',
  SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
  SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
  SIGHTLINE_ALERT_TICK_MS: '1000',
  SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: credentials.organizationId,
  SIGHTLINE_BOOTSTRAP_SERVICE_ID: credentials.serviceId,
  SIGHTLINE_BOOTSTRAP_KEY_ID: credentials.keyId,
  SIGHTLINE_BOOTSTRAP_KEY_SECRET: credentials.keySecret,
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: credentials.accessKey,
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: credentials.ingestionKey,
};

async function call(
  url: string,
  authorization: string,
  method: string,
  body?: unknown,
): Promise<never> {
  const answer = await fetch(url, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  }
  return JSON.parse(text) as never;
}

export const openCall = async <T>(
  { api }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> =>
  (await call(`${api}/api/v2${path}`, `Bearer ${credentials.accessKey}`, method, body))['data'];

export async function managedCall<T>(
  { api }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const { organizationId, serviceId, keyId, keySecret } = credentials;
  const pair = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
  const base = `${api}/v1/organizations/${organizationId}/services/${serviceId}`;
  return (await call(`${base}${path}`, `Basic ${pair}`, method, body))['result'];
}

/** Runs SQL on the engine of a server: the embedded one, or one at a URL with credentials. */
export async function askEngine(where: Program | string, query: string): Promise<unknown[][]> {
  const access =
    typeof where === 'string'
      ? { url: new URL(where).origin, ...userOf(new URL(where)) }
      : (JSON.parse(readFileSync(join(where.dataDir, 'engine.json'), 'utf8')) as {
          url: string;
          username: string;
          password: string;
        });
  const answer = await fetch(access.url, {
    method: 'POST',
    body: `${query} FORMAT JSONCompact`,
    headers: { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password },
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(text);
  }
  return (JSON.parse(text) as { data: unknown[][] }).data;
}

const userOf = ({ username, password }: URL) => ({ username, password });

export interface BackupLoad {
  /** What the sources hold, and what was acknowledged. */
  readonly records: number;
  readonly objectRows: number;
  readonly logs: number;
  stop(): Promise<void>;
}

export const objectRows = 50;

/** Telemetry, Kafka records and objects, until it is stopped. */
export function startLoad(
  server: Server,
  { kafka, topic, s3, bucket }: { kafka: KafkaPeer; topic: string; s3: S3Peer; bucket: string },
): BackupLoad {
  const sent = { records: 0, objectRows: 0, logs: 0 };
  const stopped = new AbortController();
  const repeat = async (intervalMs: number, work: () => Promise<void>): Promise<void> => {
    while (!stopped.signal.aborted) {
      await work();
      await pause(intervalMs);
    }
  };
  const loops = [
    repeat(40, async () => {
      const messages = Array.from({ length: 500 }, (_, index) => ({
        value: JSON.stringify({ id: sent.records + index, text: 'record' }),
      }));
      await kafka.producer.send({ topic, messages });
      sent.records += messages.length;
    }),
    repeat(60, async () => {
      const lines = Array.from(
        { length: objectRows },
        (_, index) => `{"id":${sent.objectRows + index},"text":"object"}\n`,
      );
      const name = String(sent.objectRows).padStart(8, '0');
      await s3.put(bucket, `rows/${name}.json`, lines.join(''));
      sent.objectRows += objectRows;
    }),
    repeat(30, async () => {
      if (await sendLogs(server, sent.logs, 20)) {
        sent.logs += 20;
      }
    }),
  ];
  return {
    get records() {
      return sent.records;
    },
    get objectRows() {
      return sent.objectRows;
    },
    get logs() {
      return sent.logs;
    },
    async stop() {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

async function sendLogs({ otlpHttp }: Server, first: number, count: number): Promise<boolean> {
  const logRecords = Array.from({ length: count }, (_, index) => ({
    timeUnixNano: `${Date.now()}000000`,
    body: { stringValue: `log ${first + index}` },
    severityText: 'ERROR',
  }));
  const answer = await fetch(`${otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: credentials.ingestionKey },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  return answer.ok;
}
