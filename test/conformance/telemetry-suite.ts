import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  TelemetryError,
  type QueryOptions,
  type RowBlock,
  type Telemetry,
} from '../../src/ports/telemetry.ts';
import { migrations } from '../../src/adapters/telemetry/migrations.ts';
import { identifier, sql, trusted, type Sql } from '../../src/sql/sql.ts';
import { testRows } from '../kit/telemetry.ts';
import { eventually } from '../kit/eventually.ts';
import { earlierReleaseTests } from './telemetry-earlier.ts';
import { newerReleaseTests } from './telemetry-newer.ts';

/**
 * An engine under test, with one chart connection so that what a query leaves behind meets the next
 * one.
 */
export interface TelemetryUnderTest {
  telemetry: Telemetry;
  close(): Promise<void>;
}

const database = 'suite';
const odd = 'od`d "name\'s';
/** Every database that the suite uses. */
export const suiteDatabases = [database, 'fresh', 'collected', 'newer', 'extended', 'earlier', odd];
const chart: QueryOptions = { purpose: 'chart', tenant: database, timeoutMs: 10_000 };
const admin: QueryOptions = { purpose: 'admin', timeoutMs: 20_000 };
const endless = sql`SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))`;
const json = (columns: string[], lines: string[]): RowBlock => ({
  format: 'JSONEachRow',
  columns,
  data: Buffer.from(lines.map((line) => `${line}\n`).join('')),
  rows: lines.length,
});

let under: TelemetryUnderTest;
let telemetry: Telemetry;
const cell = async (statement: Sql, options: QueryOptions = chart): Promise<unknown> =>
  (await telemetry.query(statement, options)).rows[0]?.[0];
const refusal = async (work: Promise<unknown>): Promise<TelemetryError> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TelemetryError);
  return error as TelemetryError;
};
const notes = async (where: Sql = sql`1`): Promise<unknown[][]> =>
  (await telemetry.query(sql`SELECT id, note FROM suite.notes WHERE ${where} ORDER BY id`, admin))
    .rows;

/** What both engines promise. */
export function telemetrySuite(name: string, open: () => Promise<TelemetryUnderTest>): void {
  describe(name, () => {
    beforeAll(async () => {
      under = await open();
      telemetry = under.telemetry;
      await telemetry.migrate(database);
      await telemetry.command(
        sql`CREATE TABLE suite.notes (id UInt64, note String) ENGINE = MergeTree
          ORDER BY id SETTINGS non_replicated_deduplication_window = 100`,
        admin,
      );
    });
    afterAll(() => under.close());

    resultTests();
    limitTests();
    streamTests();
    readOnlyTests();
    insertTests();
    foreignInsertTests();
    columnTests();
    migrationTests();

    test('ping answers', async () => {
      await telemetry.ping(5000);
    });
  });
}

function resultTests(): void {
  describe('results', () => {
    test.each<[string, Sql, unknown]>([
      ['UInt64', sql`toUInt64(18446744073709551615)`, '18446744073709551615'],
      ['Int64', sql`toInt64(-9223372036854775808)`, '-9223372036854775808'],
      ['UInt32', sql`toUInt32(4294967295)`, 4_294_967_295],
      ['Decimal(18, 3)', sql`toDecimal64('12345678901.125', 3)`, '12345678901.125'],
      ['Float64', sql`0.1`, 0.1],
      ['Float64', sql`nan`, null],
      ['Float64', sql`-inf`, null],
      ['Bool', sql`true`, true],
      ['String', sql`${'a"\\\n\t\u0000ü 𝄞'}`, 'a"\\\n\t\u0000ü 𝄞'],
      ['String', sql`unhex('FF41')`, '\ufffdA'],
      ['Date', sql`toDate('2026-11-20')`, '2026-11-20'],
      [
        'UUID',
        sql`toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')`,
        '61f0c404-5cb3-11e7-907b-a6006ad3dba0',
      ],
      [
        'UInt256',
        sql`toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')`,
        '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      ],
      ["Enum8('a' = 1)", sql`CAST('a', ${"Enum8('a' = 1)"})`, 'a'],
      ["DateTime('UTC')", sql`toDateTime('2026-11-20 10:00:00', 'UTC')`, '2026-11-20 10:00:00'],
      [
        "DateTime64(9, 'UTC')",
        sql`toDateTime64('2026-11-20 10:00:00.123456789', 9, 'UTC')`,
        '2026-11-20 10:00:00.123456789',
      ],
      ['Nullable(Nothing)', sql`NULL`, null],
      ['Array(UInt64)', sql`[toUInt64(9007199254740993)]`, ['9007199254740993']],
      ['Map(String, UInt64)', sql`map('a.b', toUInt64(1))`, { 'a.b': '1' }],
      [
        'Tuple(a UInt8, b String)',
        sql`CAST((1, 'x'), 'Tuple(a UInt8, b String)')`,
        { a: 1, b: 'x' },
      ],
      ['LowCardinality(String)', sql`toLowCardinality('x')`, 'x'],
    ])('%s comes back as the port says', async (type, expression, expected) => {
      const result = await telemetry.query(sql`SELECT ${expression} AS value`, chart);
      expect(result.columns).toEqual([{ name: 'value', type }]);
      expect(result.rows).toEqual([[expected]]);
    });

    test('a result tells how much was read', async () => {
      const result = await telemetry.query(
        sql`SELECT count() FROM numbers(100000) WHERE number % 2`,
        chart,
      );
      expect(result.rows).toEqual([['50000']]);
      expect(result.rowsRead).toBe(100_000);
      expect(result.bytesRead).toBeGreaterThan(0);
      expect(result.elapsedMs).toBeGreaterThan(0);
    });

    test('an empty result keeps its columns', async () => {
      const result = await telemetry.query(sql`SELECT 1 AS one WHERE 0`, chart);
      expect(result).toMatchObject({ columns: [{ name: 'one', type: 'UInt8' }], rows: [] });
    });

    test.each<[string, Sql, unknown[][]]>([
      ['ends with a line comment', sql`SELECT 1 -- and no line end`, [[1]]],
      [
        'has settings of its own',
        sql`SELECT getSetting('max_block_size') SETTINGS max_block_size = 7`,
        [[7]],
      ],
      ['is a union', sql`SELECT 1 AS x UNION ALL SELECT 2`, [[1], [2]]],
      ['begins with WITH', sql`WITH 5 AS five SELECT five`, [[5]]],
      ['holds a semicolon in a literal', sql`SELECT ${'a;b'}`, [['a;b']]],
    ])('a query that %s runs', async (_, statement, rows) => {
      expect((await telemetry.query(statement, chart)).rows.sort()).toEqual(rows);
    });

    test('a query with a FORMAT of its own is refused with the reason', async () => {
      expect(await refusal(telemetry.query(sql`SELECT 1 FORMAT CSV`, chart))).toMatchObject({
        kind: 'syntax',
        message: expect.stringContaining('FORMAT'),
      });
    });
  });
}

function limitTests(): void {
  describe('limits and errors', () => {
    test.each<[string, Sql, Partial<QueryOptions>]>([
      ['syntax', sql`SELEC 1`, {}],
      ['syntax', sql`SELECT noSuchFunction(1)`, {}],
      ['unknown_column', sql`SELECT nowhere FROM suite.notes`, {}],
      ['unknown_table', sql`SELECT 1 FROM suite.nowhere`, {}],
      ['unknown_table', sql`SELECT 1 FROM nowhere.nothing`, {}],
      ['type', sql`SELECT toUInt8('x')`, {}],
      ['type', sql`SELECT 'a' + 1`, {}],
      ['timeout', endless, { timeoutMs: 300 }],
      [
        'too_many_rows',
        sql`SELECT count() FROM numbers(1000000) WHERE NOT ignore(number)`,
        { maxRowsToRead: 1000 },
      ],
      ['too_many_rows', sql`SELECT number FROM numbers(1000)`, { maxResultRows: 10 }],
      [
        'too_many_rows',
        sql`SELECT number FROM numbers(6) UNION ALL SELECT number FROM numbers(6)`,
        { maxResultRows: 10 },
      ],
      [
        'memory',
        sql`SELECT length(groupArray(number)) FROM numbers(50000000)`,
        { maxMemoryBytes: 20_000_000 },
      ],
      ['other', sql`SELECT number, throwIf(number = 900000) FROM numbers(1000000)`, {}],
    ])('%s: %s', async (kind, statement, options) => {
      expect((await refusal(telemetry.query(statement, { ...chart, ...options }))).kind).toBe(kind);
      // What the failed query had already written must not come out before this one's answer.
      expect((await telemetry.query(sql`SELECT 'clean' AS state`, chart)).rows).toEqual([
        ['clean'],
      ]);
    });

    test('limits end with their query', async () => {
      await telemetry.query(sql`SELECT 1`, {
        ...chart,
        maxRowsToRead: 10,
        maxResultRows: 1,
        maxMemoryBytes: 100_000_000,
        maxThreads: 1,
      });
      expect(await cell(sql`SELECT count() FROM (SELECT number FROM numbers(100000))`)).toBe(
        '100000',
      );
      const settings = sql`SELECT toString(getSetting('max_rows_to_read')),
        toString(getSetting('max_result_rows')), toString(getSetting('max_memory_usage'))`;
      expect((await telemetry.query(settings, chart)).rows).toEqual([['0', '0', '0']]);
    });

    test('a command keeps its limits and leaves none behind', async () => {
      const copy = sql`INSERT INTO suite.notes SELECT number + 1000000, 'copied' FROM numbers(1000)`;
      expect((await refusal(telemetry.command(copy, { ...admin, maxRowsToRead: 10 }))).kind).toBe(
        'too_many_rows',
      );
      await telemetry.command(copy, admin);
      expect((await notes(sql`note = 'copied'`)).length).toBe(1000);
    });
  });

  describe('stopping', () => {
    const running = (): Promise<unknown> =>
      cell(
        sql`SELECT count() FROM system.processes
          WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%system.processes%'`,
        admin,
      );

    test('an aborted query has stopped on the engine when its caller learns of it', async () => {
      const abort = new AbortController();
      const work = refusal(
        telemetry.query(endless, { ...chart, timeoutMs: 60_000, signal: abort.signal }),
      );
      await eventually(async () => expect(await running()).toBe('1'));
      abort.abort();
      expect((await work).kind).toBe('aborted');
      expect(await running()).toBe('0');
      expect((await telemetry.query(sql`SELECT 'clean' AS state`, chart)).rows).toEqual([
        ['clean'],
      ]);
    });

    test('an aborted command has stopped, and nothing of it is stored', async () => {
      const abort = new AbortController();
      const work = refusal(
        telemetry.command(
          sql`INSERT INTO suite.notes SELECT number, 'aborted' FROM numbers(1000000000000) WHERE sipHash64(number) = 1`,
          { purpose: 'pipe', tenant: database, timeoutMs: 60_000, signal: abort.signal },
        ),
      );
      await eventually(async () => expect(await running()).toBe('1'));
      abort.abort();
      expect((await work).kind).toBe('aborted');
      expect(await notes(sql`note = 'aborted'`)).toEqual([]);
    });

    test('a signal that fired before the call sends nothing', async () => {
      const signal = AbortSignal.abort();
      expect((await refusal(telemetry.query(sql`SELECT 1`, { ...chart, signal }))).kind).toBe(
        'aborted',
      );
    });

    test('a command that outlives its time limit is stopped', async () => {
      const slow = sql`INSERT INTO suite.notes SELECT number, 'slow'
        FROM numbers(1000000000000) WHERE sipHash64(number) = 1`;
      expect((await refusal(telemetry.command(slow, { ...admin, timeoutMs: 300 }))).kind).toBe(
        'timeout',
      );
    });
  });
}

function streamTests(): void {
  describe('streams', () => {
    const big = sql`SELECT number, repeat('x', 1000) AS text FROM numbers(1000000)`;
    const running = (): Promise<unknown> =>
      cell(
        sql`SELECT count() FROM system.processes
          WHERE query LIKE '%numbers(1000000)%' AND query NOT LIKE '%system.processes%'`,
        admin,
      );

    test('give the rows and columns of a query', async () => {
      const statement = sql`SELECT number AS id, toUInt64(number) + 18446744073709551000 AS big,
        concat('a\nb', toString(number)) AS text, map('k', [number]) AS rest,
        if(number % 2 = 0, NULL, number / 3) AS part FROM numbers(20000)`;
      const taken: unknown[][] = [];
      let columns: unknown;
      await telemetry.stream(statement, chart, async (rows, names) => {
        taken.push(...rows);
        columns = names;
      });
      const whole = await telemetry.query(statement, chart);
      expect(columns).toEqual(whole.columns);
      expect(taken).toEqual(whole.rows);
    });

    test('without rows take nothing', async () => {
      const take = (): Promise<void> => Promise.reject(new Error('there is nothing to take'));
      await telemetry.stream(sql`SELECT 1 AS one WHERE 0`, chart, take);
    });

    test('wait for whoever takes the rows, and end with the signal', async () => {
      const abort = new AbortController();
      let taken = 0;
      const options = { ...chart, timeoutMs: 60_000, signal: abort.signal };
      const work = refusal(
        telemetry.stream(big, options, async (rows) => {
          taken += rows.length;
          await new Promise(() => {});
        }),
      );
      await eventually(() => expect(taken).toBeGreaterThan(0));
      expect(await running()).toBe('1');
      expect(taken).toBeLessThan(100_000);
      abort.abort();
      expect((await work).kind).toBe('aborted');
      expect(await running()).toBe('0');
    });

    test('end at their time limit, even if nobody takes the rows', async () => {
      const forever = (): Promise<void> => new Promise(() => {});
      const work = telemetry.stream(big, { ...chart, timeoutMs: 500 }, forever);
      expect((await refusal(work)).kind).toBe('timeout');
      expect(await running()).toBe('0');
    });

    test('stop on the engine if the rows cannot be taken', async () => {
      const take = (): Promise<void> => Promise.reject(new Error('no place for rows'));
      await refusal(telemetry.stream(big, { ...chart, timeoutMs: 60_000 }, take));
      await eventually(async () => expect(await running()).toBe('0'));
    });

    test('that fail after some rows are failures', async () => {
      const failing = sql`SELECT throwIf(number = 900000, 'late'), repeat('x', 100)
        FROM numbers(1000000) SETTINGS max_block_size = 1000`;
      let taken = 0;
      const work = telemetry.stream(failing, chart, async (rows) => {
        taken += rows.length;
      });
      expect((await refusal(work)).message).toContain('late');
      expect(taken).toBeGreaterThan(0);
      expect((await telemetry.query(sql`SELECT 'clean' AS state`, chart)).rows).toEqual([
        ['clean'],
      ]);
    });

    test.each([
      ['syntax', sql`SELECT (1`],
      ['unknown_table', sql`SELECT * FROM suite.nothing`],
      ['syntax', sql`SELECT 1 FORMAT TSV`],
    ])('%s: %s', async (kind, statement) => {
      const taken = (): Promise<void> => Promise.reject(new Error('a row of a failed query'));
      expect((await refusal(telemetry.stream(statement, chart, taken))).kind).toBe(kind);
    });

    test('can only read', async () => {
      const write = sql`INSERT INTO suite.notes VALUES (667, 'streamed')`;
      await refusal(telemetry.stream(write, chart, async () => {}));
      expect(await notes(sql`id = 667`)).toEqual([]);
    });
  });
}

function readOnlyTests(): void {
  describe('reading only', () => {
    const writes = [
      "INSERT INTO suite.notes VALUES (666, 'written')",
      'DROP TABLE suite.notes',
      'TRUNCATE TABLE suite.notes',
      'ALTER TABLE suite.notes DELETE WHERE 1',
      'CREATE TABLE suite.other (a Int8) ENGINE = Memory',
      'CREATE TEMPORARY TABLE other (a Int8)',
      'CREATE DATABASE other',
      'SET readonly = 0',
      'OPTIMIZE TABLE suite.notes FINAL',
      'SELECT 1; DROP TABLE suite.notes',
      'SELECT 1; SET readonly = 0; DROP TABLE suite.notes',
      'SELECT 1 SETTINGS readonly = 0',
      'RENAME TABLE suite.notes TO suite.gone',
      'CREATE FUNCTION f AS (x) -> x',
      'SYSTEM STOP MERGES',
      'ATTACH TABLE suite.gone',
      'DETACH TABLE suite.notes',
    ];
    const cases = (['chart', 'alert', 'ingest', 'pipe', 'admin'] as const).flatMap((purpose) =>
      (purpose === 'chart' ? writes : writes.slice(0, 2)).map((text) => [purpose, text] as const),
    );
    test.each(cases)('a query for %s cannot run %s', async (purpose, text) => {
      await telemetry.insert(
        'suite',
        'notes',
        json(['id', 'note'], ['{"id":5000000,"note":"kept"}']),
      );
      // Even text that slipped past every check of ours.
      await refusal(telemetry.query(trusted(text), { ...chart, purpose }));
      expect((await notes(sql`note = 'kept'`)).length).toBeGreaterThan(0);
      expect(await notes(sql`note = 'written'`)).toEqual([]);
      expect(
        await cell(
          sql`SELECT count() FROM system.tables WHERE database = 'suite' AND name IN ('other', 'gone')`,
        ),
      ).toBe('0');
      expect(await cell(sql`SELECT toString(getSetting('readonly'))`, { ...chart, purpose })).toBe(
        '2',
      );
    });
  });
}

function insertTests(): void {
  describe('insert', () => {
    test('rows of both formats come back as they were sent', async () => {
      const note = 'ü 𝄞 "quoted" \\ \n\t\u0000end';
      await telemetry.insert(
        'suite',
        'notes',
        json(['note', 'id'], [JSON.stringify({ note, id: '18446744073709551615' })]),
      );
      const short = (content: string): Buffer =>
        Buffer.concat([Buffer.of(Buffer.byteLength(content)), Buffer.from(content)]);
      const block = (id: bigint): Buffer => {
        const number = Buffer.alloc(8);
        number.writeBigUInt64LE(id);
        const head = Buffer.of(2, 1);
        const column = [short('note'), short('String'), short(note)];
        return Buffer.concat([head, short('id'), short('UInt64'), number, ...column]);
      };
      await telemetry.insert('suite', 'notes', {
        format: 'Native',
        columns: ['id', 'note'],
        data: [block(18_446_744_073_709_551_613n), block(18_446_744_073_709_551_614n)],
        rows: 2,
      });
      expect(await notes(sql`id > 18446744073709551600`)).toEqual([
        ['18446744073709551613', note],
        ['18446744073709551614', note],
        ['18446744073709551615', note],
      ]);
    });

    test('a block larger than any buffer on the way arrives whole', async () => {
      const lines = Array.from({ length: 50_000 }, (_, index) =>
        JSON.stringify({ id: 2_000_000 + index, note: `ü${'x'.repeat(200)}${index}` }),
      );
      await telemetry.insert('suite', 'notes', json(['id', 'note'], lines));
      const statement = sql`SELECT count(), uniqExact(note), min(length(note))
        FROM suite.notes WHERE id BETWEEN 2000000 AND 2100000`;
      expect((await telemetry.query(statement, admin)).rows).toEqual([['50000', '50000', '203']]);
    });

    test('a block with one bad row stores nothing', async () => {
      const lines = Array.from({ length: 100_000 }, (_, index) =>
        index === 99_999 ? '{"id":"not a number","note":"bad"}' : `{"id":${index},"note":"bad"}`,
      );
      expect(
        (await refusal(telemetry.insert('suite', 'notes', json(['id', 'note'], lines)))).kind,
      ).toBe('type');
      expect(await notes(sql`note = 'bad'`)).toEqual([]);
    });

    test.each<[string, string, string, string[]]>([
      ['unknown_table', 'suite', 'nowhere', ['id']],
      ['unknown_column', 'suite', 'notes', ['nowhere']],
    ])('an insert into nowhere is %s', async (kind, where, table, columns) => {
      expect(
        (await refusal(telemetry.insert(where, table, json(columns, ['{"id":1}'])))).kind,
      ).toBe(kind);
    });

    test('the same token inserts once, another or none inserts again', async () => {
      const block = json(['id', 'note'], ['{"id":3,"note":"token"}', '{"id":4,"note":"token"}']);
      await telemetry.insert('suite', 'notes', block, { deduplicationToken: 'first' });
      await telemetry.insert('suite', 'notes', block, { deduplicationToken: 'first' });
      expect((await notes(sql`note = 'token'`)).length).toBe(2);
      await telemetry.insert('suite', 'notes', json(['id', 'note'], ['{"id":9,"note":"token"}']), {
        deduplicationToken: 'first',
      });
      expect((await notes(sql`note = 'token'`)).length).toBe(2);
      await telemetry.insert('suite', 'notes', block, { deduplicationToken: "it's \\ another" });
      await telemetry.insert('suite', 'notes', block);
      await telemetry.insert('suite', 'notes', block);
      expect((await notes(sql`note = 'token'`)).length).toBe(8);
    });

    test('rows with one key stay apart in their block if they are said to be distinct', async () => {
      for (const distinct of [true, false]) {
        const table = `versions_${distinct}`;
        await telemetry.command(
          sql`CREATE TABLE suite.${identifier(table)} (id UInt64, note String)
            ENGINE = ReplacingMergeTree ORDER BY id`,
          admin,
        );
        const block = json(['id', 'note'], ['{"id":1,"note":"old"}', '{"id":1,"note":"new"}']);
        await telemetry.insert('suite', table, block, { distinct });
        const { rows } = await telemetry.query(
          sql`SELECT note FROM suite.${identifier(table)} ORDER BY note`,
          admin,
        );
        expect(rows).toEqual(distinct ? [['new'], ['old']] : [['new']]);
      }
    });

    test('memory that the caller gives is freed when the block is stored, and only then', async () => {
      const lines = Array.from({ length: 10_000 }, (_, id) => `{"id":${id},"note":"given away"}`);
      const [stored, refused, kept] = [1, 2, 3].map(() => json(['id', 'note'], lines));
      const given = { givesMemory: true };
      await telemetry.insert('suite', 'notes', stored!, given);
      await refusal(telemetry.insert('suite', 'nowhere', refused!, given));
      await telemetry.insert('suite', 'notes', kept!);
      expect([stored, refused, kept].map((block) => block!.data.length > 0)).toEqual([
        false,
        true,
        true,
      ]);
      expect((await notes(sql`note = 'given away'`)).length).toBe(20_000);
    });

    test('tokens that look like numbers are texts', async () => {
      for (const deduplicationToken of ['12', '0012', '1.2.3', '12']) {
        await telemetry.insert(
          'suite',
          'notes',
          json(['id', 'note'], ['{"id":5,"note":"numeric token"}']),
          { deduplicationToken },
        );
      }
      expect((await notes(sql`note = 'numeric token'`)).length).toBe(3);
    });
  });
}

function foreignInsertTests(): void {
  describe('insert of values from outside', () => {
    const outside = { foreign: true } as const;

    test.each([
      ['UInt8', '256'],
      ['UInt8', '"256"'],
      ['UInt8', '-1'],
      ['Int8', '-129'],
      ['UInt32', '4294967296'],
      ['Int64', '9223372036854775808'],
      ['UInt64', '18446744073709551616'],
      ['Nullable(UInt16)', '70000'],
      ['Array(UInt8)', '[1,300]'],
      ['Map(String, Int8)', '{"x":-200}'],
      ['Tuple(x UInt8, y String)', '{"x":256,"y":""}'],
    ])('a value from outside that %s cannot hold is refused, whole: %s', async (type, value) => {
      await telemetry.command(
        sql`CREATE OR REPLACE TABLE suite.narrow (n ${trusted(type)}) ENGINE = MergeTree ORDER BY tuple()`,
        admin,
      );
      telemetry.forgetColumns('suite', 'narrow');
      expect(
        (
          await refusal(
            telemetry.insert('suite', 'narrow', json(['n'], ['{}', `{"n":${value}}`]), outside),
          )
        ).kind,
      ).toBe('type');
      expect(await cell(sql`SELECT count() FROM suite.narrow`)).toBe('0');
    });

    test('values at the limits of their types arrive unchanged, missing and null ones as the default', async () => {
      await telemetry.command(
        sql`CREATE TABLE suite.edges (i Int64, u UInt64, b UInt8 DEFAULT 7, n Nullable(Int8),
            s String DEFAULT concat('b', toString(b)), m Map(UInt8, Array(Int16)),
            x String DEFAULT hidden, hidden String)
          ENGINE = MergeTree ORDER BY tuple()`,
        admin,
      );
      const rows = [
        '{"i":-9223372036854775808,"u":"18446744073709551615","b":255,"n":-128,' +
          '"s":"x","m":{"255":[-32768,32767]},"other":1}',
        '{"b":null,"n":null}',
      ];
      await telemetry.insert('suite', 'edges', json(['i', 'u', 'b', 'n', 's', 'm'], rows), outside);
      const read = (
        await telemetry.query(sql`SELECT i, u, b, n, s, m FROM suite.edges ORDER BY i`, admin)
      ).rows;
      expect(read).toEqual([
        ['-9223372036854775808', '18446744073709551615', 255, -128, 'x', { 255: [-32768, 32767] }],
        ['0', '0', 7, null, 'b7', {}],
      ]);
    });

    test('a block from outside in several pieces is one block, and its token stores it once', async () => {
      const pieces = (note: string): RowBlock => ({
        format: 'JSONEachRow',
        columns: ['id', 'note'],
        rows: 100_000,
        data: Array.from({ length: 2000 }, (_, piece) =>
          Buffer.from(
            Array.from(
              { length: 50 },
              (_row, index) => `{"id":${piece * 50 + index},"note":"${note}"}\n`,
            ).join(''),
          ),
        ),
      });
      await telemetry.command(
        sql`CREATE TABLE suite.pieces (id UInt64, note String) ENGINE = MergeTree
          ORDER BY id SETTINGS non_replicated_deduplication_window = 100`,
        admin,
      );
      for (const token of ['a', 'a', 'b']) {
        await telemetry.insert('suite', 'pieces', pieces(token), {
          ...outside,
          deduplicationToken: token,
        });
      }
      expect(
        (
          await telemetry.query(
            sql`SELECT note, count(), sum(id), uniqExact(_part) FROM suite.pieces GROUP BY note ORDER BY note`,
            admin,
          )
        ).rows,
      ).toEqual([
        ['a', '100000', '4999950000', '1'],
        ['b', '100000', '4999950000', '1'],
      ]);
    });

    test('an aborted insert says so', async () => {
      const signal = AbortSignal.abort();
      expect(
        (
          await refusal(
            telemetry.insert('suite', 'notes', json(['id', 'note'], ['{"id":1,"note":"never"}']), {
              signal,
            }),
          )
        ).kind,
      ).toBe('aborted');
      expect(await notes(sql`note = 'never'`)).toEqual([]);
    });
  });
}

function columnTests(): void {
  describe('columns', () => {
    test('columns are read once and again after they are forgotten', async () => {
      await telemetry.command(
        sql`CREATE TABLE suite.changing (a UInt8) ENGINE = MergeTree ORDER BY a`,
        admin,
      );
      expect(await telemetry.columns('suite', 'changing')).toEqual([{ name: 'a', type: 'UInt8' }]);
      await telemetry.command(
        sql`ALTER TABLE suite.changing ADD COLUMN b LowCardinality(String)`,
        admin,
      );
      expect(await telemetry.columns('suite', 'changing')).toEqual([{ name: 'a', type: 'UInt8' }]);
      telemetry.forgetColumns('suite', 'changing');
      expect(await telemetry.columns('suite', 'changing')).toEqual([
        { name: 'a', type: 'UInt8' },
        { name: 'b', type: 'LowCardinality(String)' },
      ]);
    });

    test('a table that is not there has no columns, and is found once it is', async () => {
      expect(await telemetry.columns('suite', 'later')).toEqual([]);
      await telemetry.command(sql`CREATE TABLE suite.later (a UInt8) ENGINE = Memory`, admin);
      expect(await telemetry.columns('suite', 'later')).toEqual([{ name: 'a', type: 'UInt8' }]);
    });
  });
}

function migrationTests(): void {
  describe('tables', () => {
    test('the rollup counts what the logs hold, with late rows, repeated blocks and repeated tokens', async () => {
      const log = (second: number, service: string, severity: string): string =>
        JSON.stringify({
          Timestamp: `2026-11-20 10:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`,
          ServiceName: service,
          SeverityText: severity,
          SeverityNumber: severity === 'ERROR' ? 17 : 9,
          Body: `b${second}`,
        });
      const columns = ['Timestamp', 'ServiceName', 'SeverityText', 'SeverityNumber', 'Body'];
      const block = (seconds: number[], service = 'shop'): RowBlock =>
        json(
          columns,
          seconds.map((second) => log(second, service, second % 3 ? 'INFO' : 'ERROR')),
        );
      const insert = (rows: RowBlock, deduplicationToken?: string): Promise<void> =>
        telemetry.insert(
          database,
          'otel_logs',
          rows,
          deduplicationToken === undefined ? {} : { deduplicationToken },
        );
      await insert(block([1, 2, 3, 62, 63]), 'a');
      await insert(block([1, 2, 3, 62, 63]), 'a');
      // Other rows of the same shape: an equal block for the rollup, not for the logs.
      await insert(block([4, 5, 6, 65, 66]), 'b');
      await insert(block([4, 5, 6, 65, 66]));
      await insert(block([4, 5, 6, 65, 66]));
      await insert(block([10], 'other'), 'c');
      const raw = sql`SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText,
          SeverityNumber, count() AS Count
        FROM suite.otel_logs GROUP BY ALL ORDER BY ALL`;
      const rolled = sql`SELECT Minute, ServiceName, SeverityText, SeverityNumber, sum(Count) AS Count
        FROM suite.otel_logs_1m GROUP BY ALL ORDER BY ALL`;
      const expected = (await telemetry.query(raw, chart)).rows;
      expect(expected.reduce((sum, row) => sum + Number(row[4]), 0)).toBe(21);
      expect((await telemetry.query(rolled, chart)).rows).toEqual(expected);
    });

    test('migrating again, and several at once, changes nothing', async () => {
      const schema = sql`SELECT name, create_table_query FROM system.tables
        WHERE database = ${database} AND name NOT LIKE 'sightline_server_starts%' ORDER BY name`;
      const before = (await telemetry.query(schema, admin)).rows;
      await Promise.all([
        telemetry.migrate(database),
        telemetry.migrate(database),
        telemetry.migrate(database),
      ]);
      expect((await telemetry.query(schema, admin)).rows).toEqual(before);
      await Promise.all(Array.from({ length: 6 }, () => telemetry.migrate('fresh')));
      expect(await cell(sql`SELECT count() FROM fresh.sightline_migrations`, admin)).toBe(
        String(migrations.length),
      );
      expect(await telemetry.rollupExactFrom('fresh')).toBe(0);
      expect(await telemetry.rollupExactFrom('nowhere')).toBeUndefined();
      const names = sql`SELECT name FROM system.tables WHERE database = ${'fresh'} ORDER BY name`;
      expect((await telemetry.query(names, admin)).rows.flat()).toContain(
        'otel_metrics_exponential_histogram',
      );
    });

    test('old tables of a collector are adopted with their rows, and the rollup says when it begins', async () => {
      await telemetry.command(sql`CREATE DATABASE collected`, admin);
      await telemetry.command(
        sql`CREATE TABLE collected.otel_logs (
          Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), TraceId String, SpanId String,
          TraceFlags UInt32, SeverityText LowCardinality(String), SeverityNumber Int32,
          ServiceName LowCardinality(String), Body String, ResourceSchemaUrl String,
          ResourceAttributes Map(LowCardinality(String), String), ScopeSchemaUrl String,
          ScopeName String, ScopeVersion String,
          ScopeAttributes Map(LowCardinality(String), String),
          LogAttributes Map(LowCardinality(String), String)
        ) ENGINE = MergeTree PARTITION BY toDate(Timestamp)
          ORDER BY (ServiceName, SeverityText, toUnixTimestamp(Timestamp), TraceId)
          TTL toDateTime(Timestamp) + toIntervalDay(3000)`,
        admin,
      );
      const { insert } = testRows(telemetry, 'collected');
      await insert('otel_logs', [{ Timestamp: '2026-11-20 10:00:00', Body: 'before' }]);
      await telemetry.migrate('collected');
      const from = await telemetry.rollupExactFrom('collected');
      expect(from! % 60_000).toBe(0);
      expect(from).toBeGreaterThan(Date.now());
      await insert('otel_logs', [
        {
          Timestamp: '2026-11-20 10:00:00',
          TimestampTime: '2026-11-20 10:00:00',
          Body: 'after',
          EventName: 'e',
        },
      ]);
      expect(
        (
          await telemetry.query(
            sql`SELECT Body, TimestampTime, EventName FROM collected.otel_logs ORDER BY Body`,
            admin,
          )
        ).rows,
      ).toEqual([
        ['after', '2026-11-20 10:00:00', 'e'],
        ['before', '2026-11-20 10:00:00', ''],
      ]);
      expect(
        await cell(
          sql`SELECT count() FROM system.data_skipping_indices WHERE database = 'collected' AND table = 'otel_logs'`,
          admin,
        ),
      ).toBe('8');
      const block = json(
        ['Timestamp', 'Body'],
        ['{"Timestamp":"2026-11-20 10:00:00","Body":"twice"}'],
      );
      await telemetry.insert('collected', 'otel_logs', block, { deduplicationToken: 't' });
      await telemetry.insert('collected', 'otel_logs', block, { deduplicationToken: 't' });
      expect(
        await cell(sql`SELECT count() FROM collected.otel_logs WHERE Body = 'twice'`, admin),
      ).toBe('1');
    });

    newerReleaseTests(() => telemetry);
    earlierReleaseTests(() => telemetry);

    test('a database name with quotes is a name', async () => {
      await telemetry.migrate(odd);
      const { insert } = testRows(telemetry, odd);
      await insert('otel_logs', [{ Timestamp: '2026-11-20 10:00:00', Body: 'x' }]);
      const counted = sql`SELECT sum(Count) FROM ${identifier(odd)}.otel_logs_1m`;
      expect(await cell(counted, { ...chart, tenant: odd })).toBe('1');
    });
  });
}
