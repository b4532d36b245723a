import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { passwordOf, rights } from '../../src/adapters/telemetry/rights/engine-users.ts';
import {
  serverUserName,
  userStatements,
} from '../../src/adapters/telemetry/rights/user-statements.ts';
import { identifier, sql, trusted } from '../../src/sql/sql.ts';
import { startClickHouseServer } from '../kit/clickhouse-server.ts';
import { suiteDatabases, telemetrySuite } from './telemetry-suite.ts';

/**
 * A server whose user has the grants that docs/operations.md tells the operator to give, and no
 * other. This build of the server stores no users, so the statements are in its file of users, which
 * takes the same text without the name of the user.
 */
const section = /## Rights on a ClickHouse server([\s\S]*?)\n## /.exec(
  readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8'),
)?.[1];
const [documented = '', documentedForUsers = ''] = [
  ...(section ?? '').matchAll(/```sql\n([\s\S]*?)```/g),
].map(([, statements]) => statements ?? '');

/** The documented statements, those for a database once for each of these. */
function grantsFor(text: string, ...databases: string[]): string[] {
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement.startsWith('GRANT'));
  expect(statements.length).toBeGreaterThan(2);
  return statements.flatMap((statement) => {
    expect(statement).toMatch(/ TO sightline( WITH GRANT OPTION)?$/);
    const grant = statement.replace(' TO sightline', '');
    return grant.includes('telemetry.*')
      ? databases.map((name) => grant.replace('telemetry.*', `${identifier(name).text}.*`))
      : [grant];
  });
}

const credentials = (...databases: string[]) => ({
  user: 'sightline',
  password: 'secret',
  grants: grantsFor(documented, ...databases),
});

telemetrySuite('remote with the documented grants', async () => {
  const { user, password, grants } = credentials(...suiteDatabases);
  const server = await startClickHouseServer({ user, password, grants });
  const telemetry = await openClickHouse({ url: server.url, username: user, password });
  return {
    telemetry,
    async close() {
      await telemetry.close();
      await server.close();
    },
  };
});

it('the documented grants are enough for the tables of pipes, and reach no other database or address', async () => {
  const { user, password, grants } = credentials('telemetry');
  const server = await startClickHouseServer({ user, password, grants });
  const telemetry = await openClickHouse({ url: server.url, username: user, password });
  const admin = { purpose: 'admin', timeoutMs: 10_000 } as const;
  try {
    await telemetry.migrate('telemetry');
    for (const engine of [
      'MergeTree ORDER BY x',
      'ReplacingMergeTree ORDER BY x',
      'Null',
      'Memory',
    ]) {
      await telemetry.command(
        trusted(`CREATE TABLE telemetry.t (x Int8) ENGINE = ${engine}`),
        admin,
      );
      await telemetry.command(sql`DROP TABLE telemetry.t`, admin);
    }
    await telemetry.command(
      sql`CREATE MATERIALIZED VIEW telemetry.v ENGINE = Memory AS
        SELECT ServiceName FROM telemetry.otel_logs`,
      admin,
    );
    for (const text of [
      'CREATE DATABASE another',
      'CREATE TABLE default.t (x Int8) ENGINE = Memory',
      "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'CSV', 'x Int8') VALUES (1)",
      "INSERT INTO FUNCTION remote('127.0.0.1', 'default', 't') VALUES (1)",
      'CREATE USER mine',
      'SYSTEM SHUTDOWN',
    ]) {
      await expect(telemetry.command(trusted(text), admin), text).rejects.toMatchObject({
        message: expect.stringMatching(/ACCESS_DENIED|not supported/),
      });
    }
  } finally {
    await telemetry.close();
    await server.close();
  }
});

it('the documented grants for users are enough to make them, in the documented databases only', async () => {
  const given = {
    user: 'sightline',
    password: 'secret',
    grants: [...grantsFor(documented, 'telemetry'), ...grantsFor(documentedForUsers, 'telemetry')],
  };
  const users = ['telemetry', 'another'].flatMap((database) =>
    rights.map((right) => ({ right, database })),
  );
  const others = users.map((user) => {
    const name = serverUserName(user);
    const password = passwordOf('a secret', name);
    return { user: name, password, grants: ['GRANT SELECT ON system.one'] };
  });
  const server = await startClickHouseServer({ ...given, others });
  /** This build checks the rights first and then refuses, because users in a file cannot be changed. */
  const answer = async (statement: string): Promise<string> => {
    const headers = { 'x-clickhouse-user': given.user, 'x-clickhouse-key': given.password };
    return (await fetch(server.url, { method: 'POST', body: statement, headers })).text();
  };
  try {
    for (const user of users) {
      const { make, grants } = userStatements(user, 'a secret', '');
      for (const statement of [...make.slice(1), ...grants.map((grant) => grant.statement)]) {
        const isElsewhere = statement.includes('`another`.*');
        expect(await answer(statement), statement).toMatch(
          isElsewhere ? /ACCESS_DENIED/ : /readonly/i,
        );
      }
    }
    expect(await answer('CREATE USER somebody')).toMatch(/no writeable/i);
  } finally {
    await server.close();
  }
});
