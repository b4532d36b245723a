import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { PostgresPeer } from '../kit/postgres.ts';
import type { S3Peer } from '../kit/s3.ts';
import { postgresPipe } from '../pipes/postgres-pipe.ts';
import type { Deployment } from './deployment.ts';

const objectRows = 50;

export interface PipedRows {
  objectPipe: string;
  /** Table of the source, and of the destination. */
  orders: string;
  /** Rows of all objects so far. */
  sent(): number;
  /** Ends both sources. */
  stop(): Promise<void>;
}

/**
 * Two pipes of a deployment and what they read: new objects, and changes of a table of the database
 * `postgres`.
 */
export async function startPipedRows(
  deployment: Deployment,
  { s3, postgres, source }: { s3: S3Peer; postgres: PostgresPeer; source: Client },
): Promise<PipedRows> {
  const { name } = deployment;
  const orders = `orders_${name}`;
  await s3.bucket(name);
  await source.query(`CREATE TABLE ${orders} (id int PRIMARY KEY, amount int, note text)`);
  const { id: objectPipe } = await deployment.callService<{ id: string }>('POST', '/pipes', {
    name: 'objects',
    source: {
      objectStorage: {
        url: `${s3.direct}/${name}/**`,
        accessKey: s3.accessKey,
        isContinuous: true,
      },
    },
    destination: {
      table: 'objects',
      columns: [
        { name: 'id', type: 'UInt32' },
        { name: 'text', type: 'String' },
      ],
      tableDefinition: { sortingKey: ['id'] },
    },
    settings: { object_storage_polling_interval_ms: 100, object_storage_max_file_count: 20 },
  });
  await deployment.callService('POST', '/pipes', {
    name: 'orders',
    ...postgresPipe(postgres, [{ table: orders, key: ['id'] }]),
    destination: {},
  });

  const stopping = new AbortController();
  let sent = 0;
  let change = 0;
  const repeat = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work();
      await pause(everyMs);
    }
  };
  const sources = Promise.all([
    repeat(300, async () => {
      const lines = Array.from(
        { length: objectRows },
        (_, index) => `{"id":${sent + index},"text":"object"}\n`,
      );
      await s3.put(name, `${String(sent).padStart(8, '0')}.json`, lines.join(''));
      sent += objectRows;
    }),
    repeat(100, async () => {
      change += 1;
      const id = (change * 7) % 1000;
      await source.query(
        change % 5 === 0
          ? `DELETE FROM ${orders} WHERE id = ${id}`
          : `INSERT INTO ${orders} SELECT n, ${change}, 'note' FROM generate_series(${id}, ${id + 5}) n
              ON CONFLICT (id) DO UPDATE SET amount = ${orders}.amount + 1`,
      );
    }),
  ]);
  return {
    objectPipe,
    orders,
    sent: () => sent,
    async stop() {
      stopping.abort();
      await sources;
    },
  };
}

/** Name of the process that has the pipe, or nothing. */
export async function pipeHolder(metadata: Client, pipeId: string): Promise<string> {
  const { rows } = await metadata.query<{ holder: string }>(
    'SELECT holder FROM leases WHERE name = $1',
    [`pipe/${pipeId}/0`],
  );
  return rows[0]?.holder ?? '';
}
