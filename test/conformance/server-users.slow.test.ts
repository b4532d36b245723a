import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { passwordOf } from '../../src/adapters/telemetry/rights/engine-users.ts';
import { ServerUsers, serverUser } from '../../src/adapters/telemetry/rights/server-users.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { linesOfLog } from '../kit/app.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { chartRights, rightsKit } from './engine-rights-suite.ts';

/**
 * This build of the server has no place for users that are created with SQL, so those of the tests
 * are in its file of users, as if another process had made them.
 */
const secret = () => 'a secret';
const given = { user: 'given', password: 'secret' };
const made = (database?: string) => ({
  user: serverUser(database),
  password: passwordOf(secret(), serverUser(database)),
  grants: [database === undefined ? 'GRANT SELECT ON system.one' : `GRANT SELECT ON ${database}.*`],
});
const opened = ({ url }: ClickHouseServer, { log }: ReturnType<typeof linesOfLog>) =>
  openClickHouse({ url, username: given.user, password: given.password, users: { secret, log } });

describe('a server that has the users', () => {
  const log = linesOfLog();
  let server: ClickHouseServer;
  let telemetry: Telemetry;
  const { asks, createNotes } = rightsKit(() => telemetry);
  beforeAll(async () => {
    const others = [made(), made('ours'), made('theirs')];
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

  it('runs charts of each database as its user', async () => {
    expect(await asks('SELECT currentUser()')).toEqual([[serverUser('ours')]]);
    expect(await asks('SELECT currentUser()', 'theirs')).toEqual([[serverUser('theirs')]]);
    expect(await asks('SELECT note FROM theirs.notes', 'theirs')).toEqual([['of theirs']]);
    expect(await asks('SELECT currentUser()', 'ours', 'pipe')).toEqual([['given']]);
    expect(await telemetry.columns('theirs', 'notes', 'ours')).toEqual([]);
    expect(await telemetry.columns('theirs', 'notes', 'theirs')).toHaveLength(2);
    expect(log.lines).toEqual([]);
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
      expect(await asks('SELECT count() FROM ours.notes')).toEqual([['2']]);
      expect(await asks('SELECT currentUser()')).toEqual([['given']]);
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
  it('are understood by the server, and are sent again after the password was changed', async () => {
    const server = await startClickHouseServer(given);
    const sent: string[] = [];
    const ask = async (query: string): Promise<string> => {
      sent.push(query);
      const headers = { 'x-clickhouse-user': given.user, 'x-clickhouse-key': given.password };
      const body = `EXPLAIN AST ${query}`;
      const response = await fetch(server.url, { method: 'POST', body, headers });
      const text = await response.text();
      if (!response.ok) {
        throw new Error(text);
      }
      return text;
    };
    const verbs = (): (string | undefined)[] => sent.splice(0).map((text) => text.split(' ')[0]);
    const odd = "od`d 'name";
    try {
      const users = new ServerUsers({ secret, log: linesOfLog().log }, ask);
      await users.ready();
      expect(verbs()).toEqual(['CREATE', 'ALTER']);
      await users.admit(odd);
      expect(verbs()).toEqual(['CREATE', 'ALTER', 'GRANT']);
      expect([users.used, users.admits('chart', odd)]).toEqual([true, true]);
      expect(users.renews(new Error('Code: 60. UNKNOWN_TABLE'))).toBe(false);
      expect(users.renews(new Error('Code: 516. AUTHENTICATION_FAILED'))).toBe(true);
      await users.ready();
      expect(verbs()).toEqual(['CREATE', 'ALTER']);
      expect(users.admits('chart', odd)).toBe(false);
    } finally {
      await server.close();
    }
  });
});
