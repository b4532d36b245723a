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

/** Places that no work on a database may read. */
const elsewhere = [
  "file('/etc/passwd', 'LineAsString')",
  'default.`/etc/passwd`',
  "url('http://127.0.0.1:1/', 'CSV', 'x String')",
  "remote('127.0.0.1', 'theirs', 'notes')",
  "postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
  "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
  "dictionary('none')",
  "executable('x', 'TSV', 'a String')",
  'theirs.notes',
];
/** Objects, which pipes read. */
const objects = [
  "s3('http://127.0.0.1:1/bucket/key', 'CSV')",
  "azureBlobStorage('DefaultEndpointsProtocol=http;AccountName=x;AccountKey=eA==;BlobEndpoint=http://127.0.0.1:1/x', 'c', 'b', 'CSV')",
  "iceberg('http://127.0.0.1:1/bucket/key')",
];
/** System tables that tell of others. */
const ofOthers = ['processes', 'users', 'grants', 'metrics', 'errors', 'merges', 'dictionaries'];
const refused =
  /Not enough privileges|function file|Dictionary .* not found|does not exist inside user scripts/;

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
      for (const table of ['parts', 'mutations', ...ofOthers]) {
        expect(await refusal(asks(`SELECT * FROM system.${table}`)), table).toMatch(denied);
      }
      expect(await refusal(asks('SELECT * FROM system.query_log'))).toMatch(/privileges|Unknown/);
    });

    it('reaches no file, address, other server or dictionary', async () => {
      for (const from of [...elsewhere, ...objects]) {
        const text = `SELECT * FROM ${from}`;
        expect(await refusal(asks(text)), text).toMatch(refused);
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

/** What ingestion into a database may do on every such engine. */
export function ingestRights(telemetry: () => Telemetry): void {
  const { asks, orders, insert } = rightsKit(telemetry);
  describe('ingestion into a database', () => {
    it('inserts there and reads nothing', async () => {
      const count = 'SELECT count() FROM ours.notes WHERE id = 7';
      const [[before]] = (await asks(count)) as [[string]];
      await insert('ours');
      expect(await asks(count)).toEqual([[String(Number(before) + 1)]]);
      for (const from of ['ours.notes', ...elsewhere, ...objects]) {
        const text = `SELECT * FROM ${from}`;
        expect(await refusal(asks(text, 'ours', 'ingest')), text).toMatch(refused);
        const copy = `INSERT INTO ours.notes SELECT 1, toString(tuple(*)) FROM ${from}`;
        expect(await refusal(orders(copy, 'ingest')), copy).toMatch(refused);
      }
      for (const table of ['parts', 'mutations', ...ofOthers]) {
        const text = `SELECT * FROM system.${table}`;
        expect(await refusal(asks(text, 'ours', 'ingest')), table).toMatch(denied);
      }
    });

    it('changes nothing else', async () => {
      for (const text of [
        "INSERT INTO theirs.notes VALUES (2, '')",
        "INSERT INTO FUNCTION file('x', 'CSV', 'x Int8') VALUES (1)",
        "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'CSV', 'x Int8') VALUES (1)",
        'CREATE TABLE ours.more (x Int8) ENGINE = Memory',
        'ALTER TABLE ours.notes ADD COLUMN x Int8',
        'TRUNCATE TABLE ours.notes',
        'DROP TABLE ours.notes',
        'KILL QUERY WHERE 1',
      ]) {
        expect(await refusal(orders(text, 'ingest')), text).toMatch(refused);
      }
    });
  });
}

/** What a pipe may do in its database on every such engine. */
export function pipeRights(telemetry: () => Telemetry): void {
  const { asks, orders, insert } = rightsKit(telemetry);
  describe('a pipe of a database', () => {
    it('makes, fills, moves and drops tables there', async () => {
      await orders('CREATE TABLE ours.stage AS ours.notes');
      await insert('ours', 'pipe');
      await orders("INSERT INTO ours.stage SELECT id, 'x' FROM ours.notes");
      await orders("ALTER TABLE ours.stage MOVE PARTITION ID 'all' TO TABLE ours.notes");
      const parts = "SELECT count() > 0 FROM system.parts WHERE table = 'notes'";
      expect(await asks(parts, 'ours', 'pipe')).toEqual([[1]]);
      await orders('DROP TABLE ours.stage');
    });

    it('touches no other database, no file and no address but those of objects', async () => {
      for (const text of [
        'CREATE DATABASE mine',
        'DROP DATABASE ours',
        'CREATE TABLE ours.copy AS theirs.notes',
        'CREATE TABLE theirs.more (x Int8) ENGINE = Memory',
        "CREATE TABLE ours.all (id UInt64) ENGINE = Merge('theirs', '.*')",
        "CREATE TABLE ours.passwords (x String) ENGINE = File('LineAsString', '/etc/passwd')",
        "CREATE TABLE ours.far (x String) ENGINE = URL('http://127.0.0.1:1/', 'CSV')",
        'CREATE VIEW ours.theirs AS SELECT * FROM theirs.notes',
        'CREATE VIEW ours.theirs DEFINER = admin SQL SECURITY DEFINER AS SELECT * FROM theirs.notes',
        'CREATE VIEW ours.theirs SQL SECURITY NONE AS SELECT * FROM theirs.notes',
        'CREATE MATERIALIZED VIEW ours.theirs TO theirs.notes AS SELECT * FROM ours.notes',
        "INSERT INTO theirs.notes VALUES (2, '')",
        "INSERT INTO FUNCTION s3('http://127.0.0.1:1/bucket/key', 'CSV', 'x Int8') VALUES (1)",
        'RENAME TABLE theirs.notes TO ours.theirs',
        'RENAME TABLE ours.notes TO theirs.ours',
        'EXCHANGE TABLES ours.notes AND theirs.notes',
        'TRUNCATE TABLE theirs.notes',
        'DROP TABLE theirs.notes',
        "ALTER TABLE ours.notes MOVE PARTITION ID 'all' TO TABLE theirs.notes",
        'ALTER TABLE ours.notes ATTACH PARTITION tuple() FROM theirs.notes',
        'KILL QUERY WHERE 1',
        "BACKUP DATABASE ours TO File('x')",
        ...elsewhere.map(
          (from) => `INSERT INTO ours.notes SELECT 1, toString(tuple(*)) FROM ${from}`,
        ),
      ]) {
        expect(await refusal(orders(text)), text).toMatch(refused);
      }
      for (const table of ofOthers) {
        const text = `SELECT * FROM system.${table}`;
        expect(await refusal(asks(text, 'ours', 'pipe')), table).toMatch(denied);
      }
      const parts = "SELECT count() FROM system.parts WHERE database = 'theirs'";
      expect(await asks(parts, 'ours', 'pipe')).toEqual([['0']]);
      expect(await asks('SELECT * FROM theirs.notes', 'theirs')).toEqual([['1', 'of theirs']]);
    });
  });
}
