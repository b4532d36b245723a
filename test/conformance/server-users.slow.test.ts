import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { rights, type Right } from '../../src/adapters/telemetry/rights/engine-users.ts';
import { ServerUsers } from '../../src/adapters/telemetry/rights/server-users.ts';
import { serverUserName } from '../../src/adapters/telemetry/rights/user-statements.ts';
import type { Purpose, Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { linesOfLog } from '../kit/app.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { madeUser, userSecret } from '../kit/server-users.ts';
import { chartRights, ingestRights, pipeRights, rightsKit } from './engine-rights-suite.ts';

const secret = userSecret;
const made = madeUser;
const given = { user: 'given', password: 'secret' };
const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
const opened = ({ url }: ClickHouseServer, { log }: ReturnType<typeof linesOfLog>) =>
  openClickHouse({ url, username: given.user, password: given.password, users: { secret, log } });

describe('a server that has the users', () => {
  const log = linesOfLog();
  let server: ClickHouseServer;
  let telemetry: Telemetry;
  const { asks, createNotes } = rightsKit(() => telemetry);
  beforeAll(async () => {
    const databases = [undefined, 'ours', 'theirs'];
    const others = databases.flatMap((name) => rights.map((right) => made(right, name)));
    server = await startClickHouseServer({ ...given, others });
    telemetry = await opened(server, log);
    await createNotes('ours');
    await createNotes('theirs');
  });
  afterAll(async () => {
    await telemetry?.close();
    await server?.close();
  });

  chartRights(() => telemetry);
  ingestRights(() => telemetry);
  pipeRights(() => telemetry);

  it('runs work of each purpose and database as its user', async () => {
    const name = (right: Right, database?: string) => serverUserName({ right, database });
    expect(await asks('SELECT currentUser()')).toEqual([[name('read', 'ours')]]);
    expect(await asks('SELECT currentUser()', 'theirs')).toEqual([[name('read', 'theirs')]]);
    for (const [purpose, right] of [
      ['ingest', 'ingest'],
      ['pipe', 'pipe'],
      ['load', 'pipe'],
    ] as const) {
      expect(await asks('SELECT currentUser()', 'ours', purpose)).toEqual([[name(right, 'ours')]]);
    }
    expect((await telemetry.query(sql`SELECT currentUser()`, { ...admin, purpose: 'pipe' })).rows) //
      .toEqual([[name('pipe')]]);
    expect(await asks('SELECT note FROM theirs.notes', 'theirs')).toEqual([['of theirs']]);
    expect(await telemetry.columns('theirs', 'notes', 'ours')).toEqual([]);
    expect(await telemetry.columns('theirs', 'notes', 'theirs')).toHaveLength(2);
    expect(log.lines).toEqual([]);
  });
});

describe('a view on a server that has the users', () => {
  it('of ours feeds the rollup, and one of somebody else makes the given user insert', async () => {
    const log = linesOfLog();
    const others = rights.map((right) => made(right, 'ours'));
    const server = await startClickHouseServer({ ...given, others });
    const telemetry = await opened(server, log);
    const { asks, createNotes, insert } = rightsKit(() => telemetry);
    const log1 = {
      format: 'JSONEachRow',
      columns: ['Timestamp', 'Body'],
      data: Buffer.from('{"Timestamp":"2026-01-01 00:00:00","Body":"x"}\n'),
      rows: 1,
    } as const;
    const user = async (purpose: Purpose) =>
      (await asks('SELECT currentUser()', 'ours', purpose)).flat();
    try {
      await telemetry.migrate('ours');
      await telemetry.insert('ours', 'otel_logs', log1);
      expect(await asks('SELECT sum(Count) FROM ours.otel_logs_1m')).toEqual([['1']]);
      expect(await user('ingest')).toEqual([serverUserName({ right: 'ingest', database: 'ours' })]);
      expect(log.lines).toEqual([]);

      await createNotes('ours');
      await telemetry.command(
        sql`CREATE TABLE ours.counts (id UInt64) ENGINE = MergeTree ORDER BY id`,
        admin,
      );
      await telemetry.command(
        sql`CREATE MATERIALIZED VIEW ours.counting TO ours.counts AS SELECT id FROM ours.notes`,
        admin,
      );
      await insert('ours');
      expect(await asks('SELECT id FROM ours.counts')).toEqual([['7']]);
      expect(await user('ingest')).toEqual(['given']);
      expect(await user('chart')).toEqual([serverUserName({ right: 'read', database: 'ours' })]);
      expect(log.lines).toEqual([expect.stringContaining('counting')]);
    } finally {
      await telemetry.close();
      await server.close();
    }
  });
});

describe('a server that has some of the users', () => {
  it('runs the work of the others as the given user', async () => {
    const log = linesOfLog();
    const server = await startClickHouseServer({ ...given, others: [made('pipe', 'ours')] });
    const telemetry = await opened(server, log);
    const { asks, createNotes } = rightsKit(() => telemetry);
    try {
      await createNotes('ours');
      expect(await asks('SELECT currentUser()')).toEqual([['given']]);
      const user = serverUserName({ right: 'pipe', database: 'ours' });
      expect(await asks('SELECT currentUser()', 'ours', 'pipe')).toEqual([[user]]);
      expect(log.lines).toEqual([expect.stringContaining('cannot create users')]);
    } finally {
      await telemetry.close();
      await server.close();
    }
  });
});

describe.each([
  ['without the right to create users', false],
  ['without a place for users', true],
])('a server %s', (_, managesUsers) => {
  it('runs everything as the given user, and the log says so in one line', async () => {
    const log = linesOfLog();
    const server = await startClickHouseServer({ ...given, managesUsers });
    const telemetry = await opened(server, log);
    const { asks, createNotes, insert } = rightsKit(() => telemetry);
    try {
      await createNotes('ours');
      await insert('ours');
      await insert('ours', 'pipe');
      expect(await asks('SELECT count() FROM ours.notes')).toEqual([['3']]);
      for (const purpose of ['chart', 'ingest', 'pipe'] as const) {
        expect(await asks('SELECT currentUser()', 'ours', purpose)).toEqual([['given']]);
      }
      // The server would not keep a source with a wrong database away from it.
      expect(await telemetry.columns('ours', 'notes', 'theirs')).toEqual([]);
      expect(log.lines).toEqual([expect.stringContaining('cannot create users')]);
    } finally {
      await telemetry.close();
      await server.close();
    }
  });
});

describe('statements that make a user', () => {
  /** Has a real server parse each statement, and notes its verb. */
  const parsed = (url: string, refuse: (query: string) => string | undefined = () => undefined) => {
    const sent: string[] = [];
    const ask = async (query: string): Promise<string> => {
      sent.push(query);
      const headers = { 'x-clickhouse-user': given.user, 'x-clickhouse-key': given.password };
      const body = `EXPLAIN AST ${query}`;
      const response = await fetch(url, { method: 'POST', body, headers });
      const text = await response.text();
      const refused = refuse(query);
      if (!response.ok || refused !== undefined) {
        throw new Error(refused ?? text);
      }
      return text;
    };
    return { ask, taken: () => sent.splice(0) };
  };
  const verbs = (sent: string[]) => sent.map((text) => text.split(' ')[0]);
  const odd = "od`d 'name";

  it.each(['', ' ON CLUSTER `a cluster`'])(
    'are understood by the server, and are sent again after the password was changed (%s)',
    async (onCluster) => {
      const server = await startClickHouseServer(given);
      const { ask, taken } = parsed(server.url);
      try {
        const users = new ServerUsers({ secret, log: linesOfLog().log }, ask, onCluster);
        for (const [purpose, grants] of [
          ['chart', 1],
          ['ingest', 1],
          ['pipe', 15],
        ] as const) {
          expect(users.admits(purpose, odd)).toBe(false);
          await users.admit(purpose, odd);
          const sent = taken();
          expect(verbs(sent)).toEqual(['CREATE', 'ALTER', ...Array(grants).fill('GRANT')]);
          expect(sent.every((text) => text.includes(onCluster))).toBe(true);
          expect(users.admits(purpose, odd)).toBe(true);
          expect(users.auth(purpose, odd)?.username).toMatch(/^sightline_/);
        }
        expect(users.renews(new Error('Code: 60. UNKNOWN_TABLE'))).toBe(false);
        expect(users.renews(new Error('Code: 395. Exception: Code: 516. of a caller'))).toBe(false);
        expect(users.admits('chart', odd)).toBe(true);
        expect(users.renews(new Error('Code: 516. DB::Exception: AUTHENTICATION_FAILED'))).toBe(
          true,
        );
        expect(users.admits('chart', odd)).toBe(false);
        await users.admit('chart', odd);
        expect(verbs(taken())).toEqual(['CREATE', 'ALTER', 'GRANT']);
      } finally {
        await server.close();
      }
    },
  );

  it('ask an older server for what it knows, and leave a right that cannot be given to the given user', async () => {
    const server = await startClickHouseServer(given);
    const old = parsed(server.url, (query) =>
      /READ ON|TABLE ENGINE/.test(query) ? 'Code: 62. DB::Exception: Syntax error' : undefined,
    );
    const log = linesOfLog();
    const poor = parsed(server.url, (query) =>
      query.includes('S3') ? 'Code: 497. DB::Exception: ACCESS_DENIED' : undefined,
    );
    try {
      const older = new ServerUsers({ secret, log: log.log }, old.ask);
      await older.admit('pipe', 'ours');
      expect(old.taken().filter((text) => text.includes('ON *.* TO'))).toHaveLength(3);
      expect(older.auth('pipe', 'ours')).toBeDefined();

      const users = new ServerUsers({ secret, log: log.log }, async (query, login) => {
        if (login !== undefined) {
          throw new Error('Code: 516. DB::Exception: AUTHENTICATION_FAILED');
        }
        return poor.ask(query);
      });
      for (const purpose of ['chart', 'ingest', 'pipe'] as const) {
        await users.admit(purpose, 'ours');
        expect(users.auth(purpose, 'ours') !== undefined).toBe(purpose !== 'pipe');
      }
      expect(log.lines).toEqual([expect.stringContaining('pipes run as the user of the address')]);
    } finally {
      await server.close();
    }
  });
});
