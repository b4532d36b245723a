import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openCluster } from '../../src/adapters/telemetry/shards/open-cluster.ts';
import { deletedColumn } from '../../src/adapters/connectors/postgres/tables/table-shape.ts';
import { shardOf } from '../../src/core/alerting/shards.ts';
import type { WebhookEvent } from '../../src/contract/webhook/webhook-event.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { until } from '../kit/eventually.ts';
import { http } from '../kit/http.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { addressOf } from '../kit/sharded-pipes.ts';
import { serverAsk } from '../kit/sharded.ts';
import { compareTables } from '../kit/table-checksum.ts';
import { Browser } from '../kit/ui.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';
import { Deployment, ingestionKey, organizationKey, person } from './deployment.ts';
import { pipeHolder, startPipedRows, type PipedRows } from './piped-rows.ts';
import {
  createAlerts,
  notedEvaluations,
  noteEvaluations,
  pendingNotifications,
  sendLogs,
  valueOfWindow,
} from './watched-alerts.ts';

/** Four processes of ours over one PostgreSQL and three shards: all alike, and with split roles. */

const isMissing = postgresMissing();
const everything = 'api,ui,ingest,alerts,pipes';
const layouts = {
  equal: [everything, everything, everything, everything],
  split: ['api,ui', 'ui,ingest', 'alerts,pipes', 'alerts,pipes'],
};
type Name = keyof typeof layouts;

const minuteMs = 60_000;
/** After the death of a process, others have its pipes. */
const movedMs = 20_000;
/** After this time, no process accepts a revoked credential. */
const revokedMs = 1000;
interface World {
  deployment: Deployment;
  /** Where the deployment has its metadata. */
  metadata: Client;
  receiver: WebhookReceiver;
  alertIds: string[];
  rows: PipedRows;
  /** When a process was killed. */
  killedAtMs?: number;
}

let postgres: PostgresPeer;
let source: Client;
let cluster: ClickHouseCluster;
let telemetry: Telemetry;
let s3: S3Peer;
/** Such that windows become due when the processes work, and not up to a minute later. */
let ingestDelayMs = 0;
const worlds: Partial<Record<Name, World>> = {};
/** What has been started, to be closed in the reverse order. */
const closing: (() => Promise<unknown> | undefined)[] = [];

async function start(name: Name): Promise<void> {
  const receiver = await startWebhookReceiver();
  closing.push(() => receiver.close());
  const deployment = await Deployment.start({
    name,
    roles: layouts[name],
    postgres,
    cluster,
    settings: {
      SIGHTLINE_ALERT_INGEST_DELAY_MS: String(ingestDelayMs),
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.1',
      SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
      SIGHTLINE_LOG_LEVEL: 'error',
    },
  });
  closing.push(() => deployment.remove());
  const metadata = await connect(deployment.databaseUrl);
  await noteEvaluations(metadata);
  await sendLogs(deployment);
  const alertIds = await createAlerts(deployment, receiver.url);
  const rows = await startPipedRows(deployment, { s3, postgres, source });
  closing.push(() => rows.stop());
  worlds[name] = { deployment, metadata, receiver, alertIds, rows };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  closing.push(() => client.end());
  return client;
}

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  const startedMs = performance.now();
  cluster = await startCluster(3);
  closing.push(() => cluster.close());
  [postgres, s3, telemetry] = await Promise.all([
    startPostgres({ wal_level: 'logical', max_connections: 200 }),
    startS3(),
    openCluster({ ...addressOf(cluster), log: createLog({ level: 'silent' }) }),
  ]);
  closing.push(
    () => postgres.remove(),
    () => s3.remove(),
    () => telemetry.close(),
  );
  source = await connect(postgres.url);
  const paceMs = performance.now() - startedMs;
  ingestDelayMs = Math.round(Date.now() + 20_000 + 4.5 * paceMs) % minuteMs;
  await Promise.all([start('equal'), start('split')]);
}, 300_000);
afterAll(async () => {
  for (const close of closing.toReversed()) {
    await close();
  }
});

/** Asks so seldom that the answers leave time for the work. */
const slowly = <T>(what: string, probe: () => Promise<T | undefined | false>, timeoutMs?: number) =>
  until(what, probe, timeoutMs, 300);

/** Statuses that a credential gets at the processes that answer HTTP. */
const statuses = (
  { deployment }: World,
  headers: Record<string, string>,
  path: string,
): Promise<number[]> =>
  Promise.all(
    deployment.with('ui').map(async ({ ui }) => (await http('GET', ui + path, { headers })).status),
  );
const everywhere = ({ deployment }: World, status: number): number[] =>
  deployment.with('ui').map(() => status);

async function storedObjects({ deployment }: World): Promise<[rows: number, distinct: number]> {
  const statement = `SELECT count(), uniqExact(id) FROM ${deployment.name}.objects`;
  const [rows = 0, distinct = 0] = (await serverAsk(cluster)(0, statement)).split('\t');
  return [Number(rows), Number(distinct)];
}

/** The process that reads the objects, as the deployment says. */
async function pipeOwner({ deployment, rows }: World) {
  return (await deployment.nodes()).find(({ pipes }) => pipes.includes(rows.objectPipe));
}

/** A process that reads a pipe and has alerts, while no window is about to be evaluated. */
function busyProcess(world: World) {
  return slowly('a process with the pipe and with alerts', async () => {
    const node = await pipeOwner(world);
    const shards = node?.alertShards ?? [];
    const hasAlerts = world.alertIds.some((alertId) => shards.includes(shardOf(alertId)));
    const nextDueMs = minuteMs - ((Date.now() - ingestDelayMs) % minuteMs);
    // A notification that was sent and not yet marked is sent again, under the same id.
    const isQuiet = nextDueMs > 3000 && (await pendingNotifications(world.metadata)) === 0;
    return hasAlerts && isQuiet && node;
  });
}

/** Waits until the table of the other pipe equals its source; the rows of both. */
async function comparedOrders({ deployment, rows }: World): Promise<number> {
  const { sourceRows } = await slowly('all changes', async () => {
    const compared = await compareTables(source, telemetry, {
      source: { schema: 'public', table: rows.orders },
      target: { database: deployment.name, table: rows.orders },
      key: ['id'],
      deletedColumn,
    });
    return compared.equal && compared;
  });
  return sourceRows;
}

const seconds = (sinceMs: number): string => ((performance.now() - sinceMs) / 1000).toFixed(1);

describe.skipIf(isMissing)('over one PostgreSQL and three shards', () => {
  describe.concurrent.each(['equal', 'split'] as const)('%s processes', (name) => {
    it('a session that begins at one process counts at all, and ends at all', async () => {
      const world = worlds[name]!;
      const processes = world.deployment.with('ui');
      const browser = new Browser(processes[0]!.ui);
      expect((await browser.signIn(person.email, person.password)).status).toBe(200);
      const headers = { cookie: browser.cookie! };
      expect(await statuses(world, headers, '/api/v2/session')).toEqual(everywhere(world, 200));
      const elsewhere = new Browser(processes.at(-1)!.ui);
      elsewhere.cookie = browser.cookie;
      expect((await elsewhere.call('DELETE', '/api/v2/session')).status).toBe(200);
      await pause(revokedMs);
      expect(await statuses(world, headers, '/api/v2/session')).toEqual(everywhere(world, 401));
    });

    it('keys of one process are valid at all, and revoked at all', async () => {
      const world = worlds[name]!;
      const { deployment } = world;
      const { id, key } = await deployment.call<{ id: string; key: string }>(
        'POST',
        '/team/access-keys',
        { name: 'made at one' },
      );
      const ofUser = { authorization: `Bearer ${key}` };
      expect(await statuses(world, ofUser, '/api/v2/team')).toEqual(everywhere(world, 200));
      const keys = `${deployment.organization}/keys`;
      const { ui } = deployment.with('ui').at(-1)!;
      const admin = { authorization: `Basic ${btoa(organizationKey)}` };
      const made = await http('POST', ui + keys, { headers: admin, body: { roles: ['admin'] } });
      const { key: record, keyId, keySecret } = made.json.result;
      const ofOrganization = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` };
      expect(await statuses(world, ofOrganization, keys)).toEqual(everywhere(world, 200));

      await deployment.call('DELETE', `/team/access-keys/${id}`);
      await http('DELETE', `${ui}${keys}/${record.id}`, { headers: admin });
      await pause(revokedMs);
      expect(await statuses(world, ofUser, '/api/v2/team')).toEqual(everywhere(world, 401));
      expect(await statuses(world, ofOrganization, keys)).toEqual(everywhere(world, 401));
    });

    it('a new ingestion key is valid at all, and the old one is refused at all', async () => {
      const { deployment } = worlds[name]!;
      const send = (key: string): Promise<number[]> =>
        Promise.all(
          deployment.with('ingest').map(async ({ otlpHttp }) => {
            const call = { headers: { authorization: key }, body: { resourceLogs: [] } };
            return (await http('POST', `${otlpHttp}/v1/logs`, call)).status;
          }),
        );
      const all = (status: number): number[] => deployment.with('ingest').map(() => status);
      expect(await send(ingestionKey)).toEqual(all(200));
      const path = '/team/ingestion-key/rotate';
      const { key } = await deployment.call<{ key: string }>('POST', path);
      expect(await send(key)).toEqual(all(200));
      await pause(revokedMs);
      expect(await send(ingestionKey)).toEqual(all(401));
    });

    it('each process counts the requests of a credential for itself', async () => {
      const { deployment } = worlds[name]!;
      const path = '/team/access-keys';
      const { key } = await deployment.call<{ key: string }>('POST', path, { name: 'counted' });
      const headers = { authorization: `Bearer ${key}` };
      for (const { ui } of deployment.with('ui')) {
        const answer = await http('GET', `${ui}/api/v2/team`, { headers });
        expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
        expect(answer.headers.get('x-ratelimit-remaining')).toBe('999');
      }
    });

    it.sequential('another process has the pipes of a dead one within 20 s, and every row is stored once', async () => {
      const world = worlds[name]!;
      const { deployment, rows } = world;
      await slowly('rows', async () => (await storedObjects(world))[0] > 0);
      const victim = await busyProcess(world);
      deployment.kill(victim.processId);
      world.killedAtMs = Date.now();
      const killedMs = performance.now();
      const isHeir = async (): Promise<boolean> => {
        const holder = await pipeHolder(world.metadata, rows.objectPipe);
        return holder !== '' && holder !== victim.id;
      };
      await slowly('another process with the pipe', isHeir, movedMs);
      const moved = seconds(killedMs);
      const [storedBefore] = await storedObjects(world);
      await slowly('more rows', async () => (await storedObjects(world))[0] > storedBefore);
      const stored = seconds(killedMs);
      await rows.stop();
      await slowly('all rows', async () => (await storedObjects(world))[1] === rows.sent());
      const orders = await comparedOrders(world);
      expect(await storedObjects(world)).toEqual([rows.sent(), rows.sent()]);
      console.log(
        `${name}: another process had the pipe ${moved} s after the kill, and had stored rows ` +
          `after ${stored} s; ${rows.sent()} rows of objects, ${orders} of a table`,
      );
    });

    it.sequential('every window of every alert is evaluated once and notified once', async () => {
      const { deployment, metadata, receiver, alertIds, killedAtMs = 0 } = worlds[name]!;
      // The end of the first window that became due after the kill.
      const lastMs = Math.floor((killedAtMs - ingestDelayMs) / minuteMs + 1) * minuteMs;
      const hasLast = async (): Promise<boolean> => {
        const noted = await notedEvaluations(metadata);
        const last = noted.filter(({ windowEndMs }) => windowEndMs === lastMs);
        return last.length >= alertIds.length && (await pendingNotifications(metadata)) === 0;
      };
      await slowly('the windows that became due after the kill', hasLast, 2 * minuteMs);
      // Whatever is done twice, is done by now.
      await deployment.stop();
      const noted = (await notedEvaluations(metadata)).filter(
        ({ windowEndMs }) => windowEndMs <= lastMs,
      );
      for (const alertId of alertIds) {
        const own = noted.filter((each) => each.alertId === alertId);
        const firstMs = own[0]?.windowEndMs ?? lastMs;
        expect(own.length).toBeGreaterThan(1);
        expect(own).toEqual(
          Array.from({ length: (lastMs - firstMs) / minuteMs + 1 }, (_, index) => ({
            alertId,
            windowEndMs: firstMs + index * minuteMs,
            value: valueOfWindow,
          })),
        );
      }
      const notified = receiver.received
        .map(({ json }) => (json as WebhookEvent).data)
        .map(({ alert, window }) => ({ alertId: alert.id, windowEndMs: Date.parse(window.end) }))
        .filter(({ windowEndMs }) => windowEndMs <= lastMs);
      const asText = ({ alertId, windowEndMs }: (typeof notified)[number]): string =>
        `${alertId} ${windowEndMs}`;
      expect(notified.map(asText).toSorted()).toEqual(noted.map(asText).toSorted());
      console.log(`${name}: ${noted.length} windows of ${alertIds.length} alerts, once each`);
    });
  });
});
