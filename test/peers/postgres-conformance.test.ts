import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe } from 'vitest';
import { lsnText } from '../../src/adapters/connectors/postgres/wire/lsn.ts';
import { postgresConnector } from '../../src/adapters/connectors/postgres/postgres-connector.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { PostgresSourceInput } from '../../src/contract/pipe/postgres.ts';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import type { Log } from '../../src/ports/ambient.ts';
import type { Batch, SourceRecord } from '../../src/ports/batch.ts';
import type { Connector } from '../../src/ports/connector.ts';
import { connectorSuite } from '../conformance/connector-suite.ts';
import {
  findNewPostgres,
  findPostgres,
  newPostgresMissing,
  postgresMissing,
  startPostgres,
  type PostgresPeer,
} from '../kit/postgres.ts';

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};

describe.each([
  { name: 'PostgreSQL', missing: postgresMissing, find: findPostgres },
  { name: 'PostgreSQL 18', missing: newPostgresMissing, find: findNewPostgres },
])('on a real server: $name', ({ name, missing, find }) => {
  describe.skipIf(missing())('', () => {
    suite(name, find);
  });
});

function suite(name: string, find: () => string | undefined): void {
  let peer: PostgresPeer;
  let tables = 0;

  const run = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: peer.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  connectorSuite(name, {
    async start() {
      peer = await startPostgres(
        { wal_level: 'logical', max_replication_slots: 60, max_wal_senders: 60 },
        find(),
      );
      await run("CREATE ROLE guarded LOGIN REPLICATION PASSWORD 'right'");
      const [file] = await run('SHOW hba_file');
      // Everybody is trusted but one, so that a password can be wrong.
      const lines = [
        'host all guarded 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ];
      await run(
        `COPY (SELECT unnest(ARRAY[${lines.map((line) => `'${line}'`).join(',')}])) TO '${String(file!['hba_file'])}'`,
      );
      await run('SELECT pg_reload_conf()');
    },
    stop: async () => peer?.remove(),
    cut: () => peer.stop('immediate'),
    mend: () => peer.start(),
    async stream() {
      const table = `stream_${++tables}`;
      await run(`CREATE TABLE ${table} (n int PRIMARY KEY, doc text)`);
      await run(`CREATE PUBLICATION ${table} FOR TABLE ${table}`);
      const [made] = await run(
        `SELECT lsn::text FROM pg_create_logical_replication_slot('${table}', 'pgoutput')`,
      );
      const password = `wrong-${randomUUID()}`;
      const make = (
        source: Partial<PostgresSourceInput>,
        { log = quiet, bufferBytes = 64 * 2 ** 20, purpose = 'run' as 'run' | 'sample' } = {},
      ): Connector =>
        postgresConnector({
          pipeId: randomUUID(),
          purpose,
          replica: { index: 0, count: 1 },
          bufferBytes,
          settings: defaultPipeSettings(),
          log,
          egress: egressGuard({ allow: ['127.0.0.1'] }),
          allowHttp: true,
          source: {
            host: '127.0.0.1',
            port: peer.port,
            database: 'postgres',
            credentials: { username: 'postgres', password: '' },
            settings: {
              replicationMode: 'cdc_only',
              publicationName: table,
              replicationSlotName: table,
            },
            tableMappings: [{ sourceSchemaName: 'public', sourceTable: table, targetTable: table }],
            ...source,
          },
        });
      return {
        secrets: [password],
        async produce(values) {
          // A transaction each, so that every record has a place of its own in the log.
          const client = new Client({ connectionString: peer.url });
          await client.connect();
          await client.query('SET synchronous_commit = off');
          const numbers = values.map((value) => (JSON.parse(value) as { n: number }).n);
          for (const [index, value] of values.entries()) {
            await client.query({
              name: 'insert',
              text: `INSERT INTO ${table} VALUES ($1, $2)`,
              values: [numbers[index], value],
            });
          }
          await client.end();
        },
        connector: (options) => asRecords(make({}, options)),
        refused: (log) => make({ credentials: { username: 'guarded', password } }, { log }),
        absent: () =>
          make({
            tableMappings: [
              { sourceSchemaName: 'public', sourceTable: 'not_there', targetTable: 'not_there' },
            ],
          }),
        async committed() {
          const [slot] = await run(
            'SELECT confirmed_flush_lsn::text AS lsn FROM pg_replication_slots WHERE slot_name = $1',
            [table],
          );
          return slot!['lsn'] === made!['lsn']
            ? new Map()
            : new Map([['stream', String(slot!['lsn'])]]);
        },
      };
    },
  });
}

/** The suite speaks of records: each row's document as one, its commit as its place. */
function asRecords(connector: Connector): Connector {
  async function* read(...[from, signal]: Parameters<Connector['read']>): AsyncGenerator<Batch> {
    for await (const batch of connector.read(from, signal)) {
      if (batch.kind !== 'rows') {
        yield batch;
      } else {
        yield {
          kind: 'records',
          partition: batch.partition,
          next: batch.next,
          bytes: batch.bytes,
          records: batch.parts.flatMap(({ records }) => records().map(document)),
        };
      }
    }
  }
  return {
    read,
    check: (signal) => connector.check(signal),
    commit: (partition, position) => connector.commit(partition, position),
    explorer: () => connector.explorer(),
    close: () => connector.close(),
  };
}

function document({ data }: SourceRecord): SourceRecord {
  const row = JSON.parse(data!.toString()) as { doc: string; _pipe_version: string };
  return { position: lsnText(BigInt(row._pipe_version)), data: Buffer.from(row.doc) };
}
