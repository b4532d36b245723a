import { describe, expect, it } from 'vitest';
import {
  TelemetryError,
  type Purpose,
  type RowBlock,
  type Telemetry,
} from '../../src/ports/telemetry.ts';
import { identifier, sql, trusted } from '../../src/sql/sql.ts';

const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
const more: RowBlock = {
  format: 'JSONEachRow',
  columns: ['id', 'note'],
  data: Buffer.from('{"id":7,"note":"more"}\n'),
  rows: 1,
};

export const reader = (tenant?: string) =>
  ({ purpose: 'chart', tenant, timeoutMs: 20_000 }) as const;

export async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TelemetryError);
  return (error as TelemetryError).message;
}
export const denied = /Not enough privileges/;

/** Statements on a database, past every check of ours. */
export function rightsKit(telemetry: () => Telemetry) {
  const asks = async (text: string, tenant = 'ours', purpose: Purpose = 'chart') =>
    (await telemetry().query(trusted(text), { purpose, tenant, timeoutMs: 20_000 })).rows;
  const orders = async (text: string, purpose: Purpose = 'pipe', tenant = 'ours'): Promise<void> =>
    telemetry().command(trusted(text), { purpose, tenant, timeoutMs: 20_000 });
  const insert = (database: string, purpose: 'ingest' | 'pipe' = 'ingest'): Promise<void> =>
    telemetry().insert(database, 'notes', more, { purpose });

  const createNotes = async (database: string): Promise<void> => {
    await telemetry().command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, admin);
    const table = sql`${identifier(database)}.notes`;
    await telemetry().command(
      sql`CREATE TABLE ${table} (id UInt64, note String) ENGINE = MergeTree ORDER BY id`,
      admin,
    );
    await telemetry().command(sql`INSERT INTO ${table} VALUES (1, ${`of ${database}`})`, admin);
  };
  return { asks, orders, insert, createNotes };
}

/** What a chart may do on every engine that has users for each database: `ours` and `theirs`. */
export function chartRights(telemetry: () => Telemetry): void {
  const { asks, orders } = rightsKit(telemetry);
  describe('a chart of a database', () => {
    it('reads that database and no other, whatever its statement says', async () => {
      expect(await asks('SELECT note FROM ours.notes')).toEqual([['of ours']]);
      for (const text of [
        'SELECT * FROM theirs.notes',
        'SELECT * FROM ours.notes WHERE note IN (SELECT note FROM theirs.notes)',
        "SELECT * FROM mergeTreeIndex('theirs', 'notes')",
        "SELECT hasColumnInTable('theirs', 'notes', 'id')",
        'EXPLAIN SELECT * FROM theirs.notes',
        'DESCRIBE theirs.notes',
        'SHOW CREATE TABLE theirs.notes',
      ]) {
        expect(await refusal(asks(text)), text).toMatch(denied);
      }
      expect(await refusal(asks("SELECT * FROM merge('theirs', '.*')"))).toMatch(/no tables/);
      expect(await refusal(telemetry().query(sql`SELECT * FROM ours.notes`, reader()))).toMatch(
        denied,
      );
    });

    it('sees no other database in the system tables, and no statement of others', async () => {
      const databases = async (table: string): Promise<unknown> =>
        (await asks(`SELECT DISTINCT database FROM system.${table} ORDER BY 1`)).flat();
      expect(await databases('tables')).toEqual(['ours']);
      expect(await databases('columns')).toEqual(['ours']);
      expect(await asks('SELECT name FROM system.databases')).toEqual([['ours']]);
      for (const table of [
        'parts',
        'processes',
        'users',
        'grants',
        'metrics',
        'errors',
        'merges',
      ]) {
        expect(await refusal(asks(`SELECT * FROM system.${table}`)), table).toMatch(denied);
      }
      expect(await refusal(asks('SELECT * FROM system.query_log'))).toMatch(/privileges|Unknown/);
    });

    it('reaches no file, address, other server or dictionary', async () => {
      for (const text of [
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
        'SELECT * FROM default.`/etc/passwd`',
        "SELECT * FROM url('http://127.0.0.1:1/', 'CSV')",
        "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'CSV')",
        "SELECT * FROM remote('127.0.0.1', 'theirs', 'notes')",
        "SELECT * FROM azureBlobStorage('DefaultEndpointsProtocol=http;AccountName=x;AccountKey=eA==;BlobEndpoint=http://127.0.0.1:1/x', 'c', 'b', 'CSV')",
        "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "SELECT * FROM dictionary('x')",
        "SELECT * FROM executable('x', 'TSV', 'a String')",
        "SELECT * FROM iceberg('http://127.0.0.1:1/bucket/key')",
      ]) {
        const message = await refusal(asks(text));
        expect(message, text).toMatch(
          text.includes(' file(') ? /function file|privileges/ : denied,
        );
      }
    });

    it('changes nothing', async () => {
      for (const text of [
        "INSERT INTO ours.notes VALUES (2, '')",
        'CREATE TABLE ours.more (x Int8) ENGINE = Memory',
        'ALTER TABLE ours.notes ADD COLUMN x Int8',
        'DROP TABLE ours.notes',
        'KILL QUERY WHERE 1',
        'GRANT SELECT ON theirs.* TO default',
        'CREATE USER mine',
        'SYSTEM SHUTDOWN',
      ]) {
        const message = await refusal(orders(text, 'chart'));
        expect(message, text).toMatch(/Not enough privileges|ACCESS_DENIED|not supported/);
      }
      expect(await refusal(asks('SELECT 1 SETTINGS readonly = 0'))).toMatch(/readonly/);
      expect(await asks('SELECT count() FROM ours.notes')).toEqual([['1']]);
    });
  });
}
