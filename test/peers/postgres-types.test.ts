import { spawnSync } from 'node:child_process';
import { join as joinPath } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  binaryColumn,
  type BinaryColumn,
} from '../../src/adapters/connectors/postgres/binary/binary-column.ts';
import { BinaryRows } from '../../src/adapters/connectors/postgres/binary/binary-rows.ts';
import { ConstantColumns } from '../../src/adapters/connectors/postgres/binary/constant-columns.ts';
import { TableMemory } from '../../src/adapters/connectors/postgres/binary/table-memory.ts';
import { rowsPart } from '../../src/adapters/connectors/postgres/rows/row-block.ts';
import {
  tsvColumn,
  type TsvColumn,
} from '../../src/adapters/connectors/postgres/rows/tsv-column.ts';
import { TsvWriter } from '../../src/adapters/connectors/postgres/rows/tsv-writer.ts';
import { clickhouseColumn } from '../../src/adapters/connectors/postgres/types/column-of.ts';
import type { PgColumn } from '../../src/adapters/connectors/postgres/types/pg-column.ts';
import { readColumns } from '../../src/adapters/connectors/postgres/types/read-columns.ts';
import { sessionSettings } from '../../src/adapters/connectors/postgres/wire/session-settings.ts';
import { columnType } from '../../src/core/pipes/tables/column-type.ts';
import type { RowsPart, TargetTable } from '../../src/ports/batch.ts';
import { identifier, join, qualified, sql } from '../../src/sql/sql.ts';
import {
  findPostgres,
  postgresMissing,
  startPostgres,
  type PostgresPeer,
} from '../kit/postgres.ts';
import { compareTables } from '../kit/table-checksum.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

const definitions = `
CREATE EXTENSION IF NOT EXISTS hstore; CREATE EXTENSION IF NOT EXISTS citext;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'very "happy"');
CREATE TYPE pair AS (n integer, words text[], at timestamptz, inner_price numeric(8, 2));
CREATE DOMAIN positive AS integer CHECK (value > 0);
CREATE DOMAIN price AS numeric(12, 3) NOT NULL DEFAULT 0;
CREATE DOMAIN matrix AS integer[][];
`;

/**
 * Type of the column, then its values as PostgreSQL literals. Each column is a table of its own,
 * with a NULL besides.
 */
const columns: readonly [type: string, values: readonly string[], expected?: readonly unknown[]][] =
  [
    ['smallint', ['-32768', '0', '32767']],
    ['integer', ['-2147483648', '2147483647']],
    ['bigint', ['-9223372036854775808', '9223372036854775807']],
    ['oid', ['0', '4294967295']],
    ['numeric(10, 2)', ['0', '-0.01', '12345678.90', '99999999.99', '1e3']],
    ['numeric(10, 2)', ["'NaN'"], [null]],
    ['numeric(3, -2)', ['12345', '-99900']],
    ['numeric(3, 5)', ['0.00999', '-0.00001']],
    [
      'numeric(76, 38)',
      ['12345678901234567890123456789012345678.01234567890123456789012345678901234567'],
    ],
    ['numeric(100, 50)', ['1.5', `1${'0'.repeat(49)}.${'1'.repeat(50)}`]],
    [
      'numeric',
      [
        '1.10',
        '-0.000000000000000000000000000000000000000000001',
        `${'9'.repeat(200)}.5`,
        "'NaN'",
        "'Infinity'",
        "'-Infinity'",
      ],
    ],
    ['real', ['0.1', '3.4028235e38', '1e-45', "'NaN'", "'Infinity'", "'-Infinity'", "'-0'"]],
    [
      'double precision',
      [
        '0.1',
        '1.7976931348623157e308',
        '5e-324',
        '2.2250738585072014e-308',
        "'NaN'",
        "'Infinity'",
        "'-Infinity'",
        "'-0'",
        '1e21',
        '123456789012345680',
        '1e-7',
      ],
    ],
    ['money', ["'1234.56'", "'-92233720368547758.08'", "'0.01'", "'0'"]],
    ['boolean', ['true', 'false']],
    [
      'text',
      [
        "''",
        '\'a "quoted" \\ text\'',
        "E'\\t\\n\\r\\b\\f\\x01\\x1f\\x7f'",
        "'Grüße 日本語 😀 \u2028'",
        `repeat('long ', 100000)`,
      ],
    ],
    ['varchar(5)', ["'ab  '", "''"]],
    ['char(5)', ["'ab'", "''"]],
    ['"char"', ["'a'", "''"]],
    ['citext', ["'MiXed'"]],
    ['name', ["'a name'"]],
    ['json', ['\'{"b": 1,  "a": 1.10, "b": "\\u00fc"}\'', "'null'", "'[]'"]],
    ['jsonb', ['\'{"b": 12345678901234567890.10, "a": ["\\u00fc", null]}\'', '\'"text"\'']],
    ['uuid', ["'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"]],
    ['bytea', ["''", "'\\x00ff8090'", "decode(repeat('00ff', 5000), 'hex')"]],
    [
      'date',
      [
        "'1900-01-01'",
        "'2299-12-31'",
        "'1969-12-31'",
        "'2024-02-29'",
        "'infinity'",
        "'-infinity'",
        "'0044-03-15 BC'",
        "'1899-12-31'",
        "'2300-01-01'",
        "'5874897-12-31'",
        "'4713-01-01 BC'",
      ],
    ],
    [
      'timestamp',
      [
        "'1970-01-01'",
        "'1969-12-31 23:59:59.999999'",
        "'2024-02-29 12:34:56.000001'",
        "'0001-01-01'",
        "'0999-06-07 08:09:10'",
        "'9999-12-31 23:59:59.999999'",
        "'1582-10-10 00:00:00'",
        "'infinity'",
        "'-infinity'",
        "'0044-03-15 12:00 BC'",
        "'294276-12-31 23:59:59.999999'",
        "'10000-01-01'",
      ],
    ],
    [
      'timestamptz',
      [
        "'2024-02-29 12:34:56.000001+05:30'",
        "'1883-11-18 12:00:00 America/New_York'",
        "'0001-01-01 00:00:00+00'",
        "'9999-12-31 23:59:59.999999+00'",
        "'infinity'",
        "'-infinity'",
        "'0044-03-15 12:00 BC'",
        "'294276-12-31 23:59:59+00'",
      ],
    ],
    ['timestamp(0)', ["'2024-02-29 12:34:56.7'"]],
    ['time', ["'00:00'", "'24:00'", "'04:05:06.000001'"]],
    ['timetz', ["'04:05:06.5+05:30'", "'24:00-15:59'"]],
    [
      'interval',
      ["'0'", "'1 year 2 mons -3 days 04:05:06.000007'", "'-178000000 years'", "'-00:00:00.5'"],
    ],
    ['inet', ["'10.0.0.1'", "'10.0.0.1/8'", "'2001:db8::1/64'"]],
    ['cidr', ["'10.0.0.0/8'"]],
    ['macaddr', ["'08:00:2b:01:02:03'"]],
    ['macaddr8', ["'08:00:2b:01:02:03:04:05'"]],
    ['bit(4)', ["B'1010'"]],
    ['varbit', ["B''", "B'101'"]],
    ['int4range', ["'[1,10)'", "'empty'", "'(,5)'"]],
    ['tstzrange', ["'[2024-01-01 00:00:00+00,infinity)'"]],
    ['int4multirange', ["'{[1,3),[5,7)}'"]],
    ['point', ["'(1.5,-2)'"]],
    ['box', ["'(1,1),(0,0)'"]],
    ['polygon', ["'((0,0),(1,1),(1,0))'"]],
    ['circle', ["'<(0,0),1>'"]],
    ['line', ["'{1,2,3}'"]],
    ['lseg', ["'[(0,0),(1,1)]'"]],
    ['path', ["'((0,0),(1,1))'"]],
    ['tsvector', ["'a:1 ''it''''s'':2'"]],
    ['tsquery', ["'a & !b'"]],
    ['xml', ['\'<a b="1">x</a>\'']],
    ['pg_lsn', ["'16/B374D848'"]],
    ['int2vector', ["'1 2 3'"]],
    ['mood', ["'sad'", '\'very "happy"\'']],
    ['positive', ['1', '2147483647']],
    ['price', ['0', '123456789.123']],
    ['matrix', ["'{{1,2},{3,4}}'"]],
    [
      'hstore',
      ["''", '\'a=>1, "b c"=>NULL, "q\\""=>"NULL"\''],
      [{}, { a: '1', 'b c': null, 'q"': 'NULL' }],
    ],
    [
      'pair',
      [
        `ROW(1, ARRAY['a "b"', NULL, 'c,d'], '2024-01-01 00:00:00+00', 1.5)`,
        'ROW(NULL, NULL, NULL, NULL)',
      ],
      [
        '{"n":1,"words":["a \\"b\\"",null,"c,d"],"at":"2024-01-01 00:00:00","inner_price":1.50}',
        '{"n":null,"words":null,"at":null,"inner_price":null}',
      ],
    ],
    ['integer[]', ["'{}'", "'{1,NULL,-3}'", "'[0:1]={7,8}'"]],
    ['integer[][]', ["'{{1,2},{3,4}}'"]],
    ['integer[]', ["'{{1,2},{3,4}}'"], [[1, 2, 3, 4]]],
    ['integer[][]', ["'{1,2}'"], [[[1, 2]]]],
    ['bigint[]', ["'{9223372036854775807}'"], [['9223372036854775807']]],
    ['text[]', ["ARRAY['', 'NULL', NULL, 'a,b', '{}', 'q\"\\', E'\\n', 'ü']", "'{}'"]],
    ['boolean[]', ["'{t,f,NULL}'"]],
    ['uuid[]', ["'{00000000-0000-0000-0000-000000000001}'"]],
    ['double precision[]', ["'{0.5,NaN,NULL}'"], [[0.5, null, null]]],
    ['numeric(6, 2)[]', ["'{1.5,NULL,-0.25}'"], [['1.5', null, '-0.25']]],
    ['mood[]', ["ARRAY['sad', NULL, 'very \"happy\"']::mood[]"]],
    ['date[]', ["'{2024-02-29,infinity}'"], [['2024-02-29', '2299-12-31']]],
    [
      'timestamptz[]',
      ["'{2024-02-29 00:00:00.5+00,-infinity}'"],
      [['2024-02-29 00:00:00.500000', '0001-01-01 00:00:00.000000']],
    ],
    ['bytea[]', ["ARRAY['\\x00ff'::bytea, NULL]"], [['00ff', null]]],
    ['box[]', ["'{(1,1),(0,0);(2,2),(1,1)}'"]],
    ['int4range[]', [`ARRAY['[1,3)'::int4range, NULL]`]],
    [
      'pair[]',
      [`ARRAY[ROW(1, '{}', NULL, NULL)::pair]`],
      [['{"n":1,"words":[],"at":null,"inner_price":null}']],
    ],
    ['json[]', [`ARRAY['{"a": "b,c"}'::json]`], [['{"a": "b,c"}']]],
    ['interval[]', ["'{1 day,NULL}'"], [['P1D', null]]],
    ['hstore[]', [`ARRAY['a=>1'::hstore]`], [[{ a: '1' }]]],
  ];

const options = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

let peer: PostgresPeer;
let engine: TestTelemetry;
let client: Client;
beforeAll(async () => {
  [peer, engine] = await Promise.all([startPostgres(), openTestTelemetry()]);
  client = new Client({ connectionString: peer.url, options });
  await client.connect();
  await client.query(definitions);
});
afterAll(async () => {
  await client?.end();
  await engine?.close();
  await peer?.remove();
});
async function columnsOf(table: string): Promise<PgColumn[]> {
  const oid = (await client.query<{ oid: number }>('SELECT $1::regclass::oid AS oid', [table]))
    .rows[0]!.oid;
  return (
    await readColumns(
      async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
      [oid],
    )
  ).get(oid)!;
}
/** The whole table as a pipe stores it: as the stream brings its rows, or as a snapshot does. */
async function store(
  table: string,
  { allowNullable, copied = false }: { allowNullable: boolean; copied?: boolean },
): Promise<void> {
  const columnsRead = await columnsOf(table);
  const mappings = columnsRead.map((column) => clickhouseColumn(column, { allowNullable }));
  const own = copied ? pipeColumns : [];
  const target: TargetTable = {
    table,
    engine: 'MergeTree',
    sortingKey: ['n'],
    columns: [...mappings.map(({ column }) => column), ...own],
  };
  await createTable(target);
  const binary = mappings.map((mapping, index) => binaryColumn(mapping, columnsRead[index]!.type));
  if (copied && binary.every((column) => column !== undefined)) {
    return storeBinary(target, binary);
  }
  const mapped = mappings.map((mapping, index) => tsvColumn(mapping, columnsRead[index]!.type));
  const writer = new TsvWriter(1024);
  if (copied) {
    const lines = copy(
      `SELECT ${mapped.map(({ column }) => `"${column.name}"`).join(', ')} FROM ${table}`,
    );
    for (let start = 0, end = 0; (end = lines.indexOf(0x0a, start)) >= 0; start = end + 1) {
      writer.copyLine(lines, start, end, mapped, Buffer.from('\t7\t0\n'));
    }
  } else {
    await writeStreamed(writer, table, mapped);
  }
  await insert(target, rowsPart(target, writer.take(), writer.rows, ''));
}

const pipeColumns = [
  { name: '_pipe_version', type: 'UInt64' },
  { name: '_pipe_deleted', type: 'UInt8' },
];

function createTable({ table, columns }: TargetTable): Promise<void> {
  return engine.command(
    sql`CREATE TABLE ${qualified(engine.database, table)} (${join(
      columns.map(({ name, type }) => sql`${identifier(name)} ${columnType(type)}`),
      ', ',
    )}) ENGINE = MergeTree ORDER BY n`,
  );
}

async function writeStreamed(
  writer: TsvWriter,
  table: string,
  mapped: readonly TsvColumn[],
): Promise<void> {
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT * FROM ${table}`,
    rowMode: 'array',
    types: { getTypeParser: () => (value: unknown) => value },
  } as never);
  for (const row of rows) {
    for (const [index, value] of row.entries()) {
      const bytes = Buffer.from(value ?? '');
      if (value === null) {
        writer.null();
      } else {
        writer.value(mapped[index]!, bytes, 0, bytes.length);
      }
    }
    writer.endRow();
  }
}

/** Stores the rows, and their records in another table: both must be the same. */
async function storeBinary(target: TargetTable, binary: readonly BinaryColumn[]): Promise<void> {
  const [constants, memory] = [new ConstantColumns(7n), new TableMemory(1)];
  const rows = new BinaryRows({ target, columns: binary, constants, rowsHint: 1, memory });
  const { table, columns } = target;
  const names = binary.map(({ select }) => select).join(', ');
  const copied = copy(`SELECT ${names} FROM ${table}`, ' (FORMAT BINARY)');
  rows.add(copied, 0, copied.length);
  const part = rows.take('');
  await insert(target, part);
  const again = { ...target, table: `${table}_again` };
  await createTable(again);
  await engine.telemetry.insert(
    engine.database,
    again.table,
    {
      format: 'JSONEachRow',
      columns: columns.map(({ name }) => name),
      data: part.records().flatMap(({ data }) => [data ?? Buffer.alloc(0), Buffer.from('\n')]),
      rows: part.rows,
    },
    { foreign: true },
  );
  const stored = (name: string) =>
    engine.rows(
      sql`SELECT toString(tuple(*)) AS row FROM ${qualified(engine.database, name)} ORDER BY n`,
    );
  expect(await stored(again.table)).toEqual(await stored(table));
}

function insert({ table, columns }: TargetTable, part: RowsPart): Promise<void> {
  return engine.telemetry.insert(
    engine.database,
    table,
    {
      format: part.format,
      columns: columns.map(({ name }) => name),
      data: part.data,
      rows: part.rows,
    },
    { ownNotation: true },
  );
}

function copy(query: string, copyOptions = ''): Buffer {
  const { status, stdout, stderr } = spawnSync(
    joinPath(findPostgres()!, 'psql'),
    [peer.url, '-c', `COPY (${query}) TO STDOUT${copyOptions}`],
    { env: { ...process.env, PGOPTIONS: options }, maxBuffer: 2 ** 28 },
  );
  if (status !== 0) {
    throw new Error(String(stderr));
  }
  return stdout;
}

describe.skipIf(postgresMissing())('values of every type', () => {
  describe.each([
    { way: 'streamed', allowNullable: false, copied: false },
    { way: 'copied', allowNullable: true, copied: true },
  ])('$way, allowNullableColumns $allowNullable', ({ allowNullable, copied }) => {
    it.each(columns.map(([type, values, expected], index) => ({ type, values, expected, index })))(
      '$type ($index) reads the same from the engine',
      async ({ type, values, expected, index }) => {
        const table = `types_${index}_${copied}`;
        await client.query(
          `CREATE TABLE ${table} (n integer NOT NULL, value ${type});
            INSERT INTO ${table}
              VALUES ${values.map((value, index) => `(${index}, ${value})`).join(', ')}`,
        );
        if (type !== 'price') {
          await client.query(`INSERT INTO ${table} VALUES (${values.length}, NULL)`);
        }
        await store(table, { allowNullable, copied });
        if (expected === undefined) {
          const { equal, differences, sourceRows } = await compareTables(client, engine.telemetry, {
            source: { schema: 'public', table },
            target: { database: engine.database, table },
            key: ['n'],
          });
          expect({ equal, differences }).toEqual({ equal: true, differences: [] });
          expect(sourceRows).toBeGreaterThan(1);
        } else {
          const stored = await engine.rows(
            sql`SELECT value FROM ${qualified(engine.database, table)} WHERE n < ${values.length} ORDER BY n`,
          );
          expect(stored.map(({ value }) => value)).toEqual(
            allowNullable || type !== 'numeric(10, 2)' ? expected : ['0'],
          );
        }
      },
    );
  });

  it('the comparison sees one changed value, one row more, and one row less', async () => {
    await client.query(
      `CREATE TABLE seen (n integer PRIMARY KEY, value text);
        INSERT INTO seen SELECT n, n::text FROM generate_series(1, 1000) n`,
    );
    await store('seen', { allowNullable: false });
    const compare = () =>
      compareTables(client, engine.telemetry, {
        source: { schema: 'public', table: 'seen' },
        target: { database: engine.database, table: 'seen' },
        key: ['n'],
      });
    expect(await compare()).toMatchObject({ equal: true, sourceRows: 1000, targetRows: 1000 });
    await client.query("UPDATE seen SET value = 'other' WHERE n = 500");
    expect(await compare()).toMatchObject({
      equal: false,
      differences: ['1 keys differ', '500: source 500 ¦ other | target 500 ¦ 500'],
    });
    await client.query("UPDATE seen SET value = '500' WHERE n = 500; DELETE FROM seen WHERE n = 1");
    expect(await compare()).toMatchObject({
      equal: false,
      sourceRows: 999,
      targetRows: 1000,
      differences: ['1 keys differ', '1: source (no row) | target 1 ¦ 1'],
    });
  });
});
