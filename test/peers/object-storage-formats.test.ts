import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import avro from 'avsc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

/** Each destination column with its type, and where it lies in the objects. */
const fields = [
  ['id', 'UInt64', 'id'],
  ['text', 'String', 'text'],
  ['note', 'Nullable(String)', 'note'],
  ['count', 'Nullable(Int32)', 'count'],
  ['price', 'Decimal(18, 4)', 'price'],
  ['day', 'Date32', 'day'],
  ['at', "DateTime64(3, 'UTC')", 'at'],
  ['ratio', 'Float64', 'ratio'],
  ['flag', 'Bool', 'flag'],
  ['tags', 'Array(String)', 'tags'],
  ['who', 'String', 'user.name'],
  ['city', 'String', 'user.address.city'],
] as const;
const structure = `${fields
  .slice(0, 10)
  .map(([, type, field]) => `${field} ${type}`)
  .join(', ')}, user Tuple(name String, age UInt8, address Tuple(zip String, city String))`;
const flatStructure = `${fields
  .slice(0, 10)
  .map(([, type, field]) => `${field} ${type}`)
  .join(', ')}, "user.name" String, "user.address.city" String`;
const columns = fields.map(([name, type]) => ({ name, type }));
const mappings = fields.map(([destinationField, , sourceField]) => ({
  destinationField,
  sourceField,
}));
const odd = 'ü€🙂 "quoted", \'single\', back\\slash, tab\t, line\nend, {brace}, %25';
const rows = [
  {
    id: 1,
    text: odd,
    note: null,
    count: null,
    price: '12345678901234.5678',
    day: '1970-01-01',
    at: '1970-01-01 00:00:00.000',
    ratio: 0.1,
    flag: true,
    tags: ['x', odd, ''],
    user: { name: 'Zoë', age: 3, address: { zip: '1', city: 'Köln' } },
  },
  {
    id: 2,
    text: '',
    note: '',
    count: -2147483648,
    price: '-0.0001',
    day: '2026-11-21',
    at: '2026-11-21 23:59:59.999',
    ratio: -1.5e300,
    flag: false,
    tags: [],
    user: { name: '', age: 0, address: { zip: '', city: '' } },
  },
  {
    id: 3,
    text: 'NULL',
    note: 'null',
    count: 0,
    price: '0',
    day: '1925-06-07',
    at: '2100-01-01 00:00:00.001',
    ratio: 0,
    flag: false,
    tags: ['[]'],
    user: { name: '  spaces  ', age: 9, address: { zip: '', city: 'x,y;z' } },
  },
];
const json = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** As the engine answers them. */
const expected = rows.map(({ user, ...row }) => [
  String(row.id),
  row.text,
  row.note,
  row.count,
  row.price,
  row.day,
  row.at,
  row.ratio,
  row.flag,
  row.tags,
  user.name,
  user.address.city,
]);

const compressions = {
  '': '',
  '.gz': 'gzip',
  '.gzip': 'gzip',
  '.br': 'br',
  '.xz': 'xz',
  '.zst': 'zstd',
  '.zstd': 'zstd',
} as const;
/** An object of each: the ending that tells the format, and how the engine writes it. */
const formats = [
  ['json', 'JSONEachRow'],
  ['jsonl', 'JSONEachRow'],
  ['ndjson', 'JSONEachRow'],
  ['csv', 'CSVWithNames'],
  ['tsv', 'TabSeparatedWithNames'],
  ['tab', 'TabSeparatedWithNames'],
  ['parquet', 'Parquet'],
  ['pq', 'Parquet'],
  ['avro', 'Avro'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'sightline-formats-'));
const bucket = 'formats';
let peer: S3Peer;
let world: PipeWorld;
let files = 0;
beforeAll(async () => {
  peer = await startS3();
  world = await pipeWorld();
  await peer.bucket(bucket);
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
  rmSync(folder, { recursive: true, force: true });
});
/**
 * The rows in a format, as the engine writes them. Where values cannot lie inside others, they
 * stand under their dotted names.
 */
async function written(format: string, compression = 'none'): Promise<Buffer> {
  const path = join(folder, String(files++));
  const isNested = /^(?:JSONEachRow|Parquet|Avro)$/.test(format);
  const chosen = isNested
    ? sql`*`
    : sql`* EXCEPT user, user.name AS "user.name", user.address.city AS "user.address.city"`;
  await world.telemetry.command(
    sql`INSERT INTO FUNCTION file(${path}, ${format}, ${isNested ? structure : flatStructure},
        ${compression})
      SELECT ${chosen} FROM format('JSONEachRow', ${structure}, ${json})`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return readFileSync(path);
}
async function compressed(format: string, method: string): Promise<Buffer> {
  if (method === 'gzip') {
    return gzipSync(await written(format));
  }
  if (method === 'br') {
    return brotliCompressSync(await written(format));
  }
  return written(format, method);
}
/** What is put in, cut off or compressed in another way, with what must be said of it. */
async function putBad(): Promise<Record<string, RegExp>> {
  const reasons: Record<string, RegExp> = {};
  const put = async (name: string, body: Buffer, reason: RegExp): Promise<void> => {
    reasons[name] = reason;
    await peer.put(bucket, name, body);
  };
  const half = (whole: Buffer): Buffer => whole.subarray(0, whole.length * 0.6);
  const zipped = { gz: 'gzip', br: 'br', xz: 'xz', zst: 'zstd' } as const;
  const word = { gz: 'gzip', br: 'brotli', xz: 'xz', zst: 'zstd' } as const;
  for (const suffix of ['gz', 'br', 'xz', 'zst'] as const) {
    await put(
      `all/cut.json.${suffix}`,
      half(await compressed('JSONEachRow', zipped[suffix])),
      /: (it is cut off|its zstd stream is truncated)/,
    );
    await put(
      `all/other.json.${suffix}`,
      await compressed('JSONEachRow', suffix === 'gz' ? 'br' : 'gzip'),
      new RegExp(`not compressed with ${word[suffix]}$`),
    );
  }
  for (const [ending, format] of [
    ['json', 'JSONEachRow'],
    ['csv', 'CSVWithNames'],
    ['tsv', 'TabSeparatedWithNames'],
    ['parquet', 'Parquet'],
    ['avro', 'Avro'],
  ] as const) {
    const isText = ending !== 'parquet' && ending !== 'avro';
    await put(
      `all/cut.${ending}`,
      half(await compressed(format, '')),
      isText ? /Cannot parse .* \(at row \d\)$/ : /it is cut off/,
    );
    await put(
      `all/other.${ending}`,
      await compressed(format, 'gzip'),
      isText
        ? /before bytes that are no text .* compressed without saying so/
        : /(cut off, or )?not an? (Parquet|Avro) file$/,
    );
    await put(
      `all/cut.${ending}.zstd`,
      half(await compressed(format, 'zstd')),
      /cut off|truncated/,
    );
  }
  for (const ending of ['json', 'csv']) {
    await put(
      `all/utf16.${ending}`,
      Buffer.from(ending === 'json' ? json : '\ufeffid,text\n1,a\n', 'utf16le'),
      /UTF-16|header/,
    );
  }
  return reasons;
}
const completed = (id: string): Promise<unknown> =>
  until('the load to end', async () => (await world.get(id)).state === 'Completed');
const errorsOf = async (pipeId: string): Promise<{ position: string; reason: string }[]> =>
  (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '100' } })).value;

describe('objects of every format and compression', () => {
  it('are loaded with the same values; truncated and wrongly compressed ones fail alone, with a reason', async () => {
    const good: string[] = [];
    for (const [ending, format] of formats) {
      for (const [suffix, method] of Object.entries(compressions)) {
        good.push(`all/good.${ending}${suffix}`);
        await peer.put(bucket, good.at(-1)!, await compressed(format, method));
      }
    }
    const reasons = await putBad();
    const pipe = await world.create({
      source: {
        objectStorage: { url: `${peer.endpoint}/${bucket}/all/**`, accessKey: peer.accessKey },
      },
      destination: {
        database: 'shop',
        table: 'all',
        columns: [...columns, { name: 'path', type: 'String' }],
        tableDefinition: { sortingKey: ['id'] },
      },
      fieldMappings: [...mappings, { destinationField: 'path', sourceField: '_path' }],
    });
    await completed(pipe.id);
    const listed = await errorsOf(pipe.id);
    expect(listed.map(({ position }) => position).sort()).toEqual(Object.keys(reasons).sort());
    for (const { position, reason } of listed) {
      expect(`${position}: ${reason}`).toMatch(reasons[position]!);
    }
    const loaded = await world.rows(
      sql`SELECT * EXCEPT path, arraySort(groupArray(substring(path, length(${bucket}) + 2)))
        FROM shop.all GROUP BY ALL ORDER BY id`,
    );
    expect(loaded).toEqual(expected.map((row) => [...row, [...good].sort()]));
  });

  it('are read as the pipe says, whatever their names end in', async () => {
    const cases = [
      ['none', 'CSV', ''],
      ['gzip', 'TabSeparated', 'gzip'],
      ['gz', 'CSVWithNames', 'gzip'],
      ['brotli', 'TabSeparatedWithNames', 'br'],
      ['br', 'Parquet', 'br'],
      ['xz', 'Avro', 'xz'],
      ['LZMA', 'JSONEachRow', 'xz'],
      ['zstd', 'JSONEachRow', 'zstd'],
    ] as const;
    const pipes = await Promise.all(
      cases.map(async ([compression, format, method]) => {
        const body = await compressed(format, method);
        for (const name of ['data', 'b.txt', 'c.json.gz', 'd.parquet.zst']) {
          await peer.put(bucket, `${compression}/${name}`, body);
        }
        await peer.put(
          bucket,
          `${compression}/bad`,
          method === '' ? Buffer.from('{"id":1}') : Buffer.from(json),
        );
        return world.create({
          source: {
            objectStorage: {
              url: `${peer.endpoint}/${bucket}/${compression}/*`,
              accessKey: peer.accessKey,
              compression,
              format,
            },
          },
          destination: {
            database: 'shop',
            table: `said_${compression}`,
            columns,
            tableDefinition: { sortingKey: ['id'] },
          },
          fieldMappings: mappings,
        });
      }),
    );
    for (const [index, [compression]] of cases.entries()) {
      await completed(pipes[index]!.id);
      expect([
        compression,
        await world.rows(
          sql`SELECT *, toUInt8(count()) FROM merge('shop', ${`^said_${compression}$`}) GROUP BY ALL ORDER BY id`,
        ),
      ]).toEqual([compression, expected.map((row) => [...row, 4])]);
      expect((await errorsOf(pipes[index]!.id)).map(({ position }) => position)).toEqual([
        `${compression}/bad`,
      ]);
    }
  });
});

describe('objects with nested records', () => {
  it('in Avro a path passes a nullable record by its name and reaches single fields of records', async () => {
    const address = {
      type: 'record',
      name: 'Address',
      fields: [
        { name: 'zip', type: 'string' },
        { name: 'city', type: ['null', 'string'] },
      ],
    } as const;
    const type = avro.Type.forSchema({
      type: 'record',
      name: 'Row',
      namespace: 'com.example',
      fields: [
        { name: 'id', type: 'long' },
        {
          name: 'user',
          type: [
            'null',
            {
              type: 'record',
              name: 'User',
              fields: [
                { name: 'name', type: 'string' },
                { name: 'address', type: ['null', address] },
              ],
            },
          ],
        },
        { name: 'home', type: 'Address' },
      ],
    } as avro.Schema);
    const encoder = new avro.streams.BlockEncoder(type, { codec: 'deflate' });
    const home = { zip: '', city: 'Köln' };
    for (const row of [
      { id: 1, user: { name: 'Zoë', address: { zip: '1', city: 'Bonn' } }, home },
      { id: 2, user: null, home: { zip: '2', city: null } },
      { id: 3, user: { name: 'x', address: null }, home },
    ]) {
      encoder.write(row);
    }
    encoder.end();
    const chunks: Buffer[] = [];
    for await (const chunk of encoder) {
      chunks.push(chunk as Buffer);
    }
    await peer.put(bucket, 'nullable/a.avro', Buffer.concat(chunks));
    const pipe = await world.create({
      source: {
        objectStorage: { url: `${peer.endpoint}/${bucket}/nullable/*`, accessKey: peer.accessKey },
      },
      destination: {
        database: 'shop',
        table: 'nullable',
        columns: [
          { name: 'id', type: 'UInt64' },
          ...['who', 'city', 'home', 'none'].map((name) => ({ name, type: 'String' })),
        ],
        tableDefinition: { sortingKey: ['id'] },
      },
      fieldMappings: [
        ['id', 'id'],
        ['who', 'user.User.name'],
        ['city', 'user.User.address.Address.city'],
        ['home', 'home.city'],
        ['none', 'home.street'],
      ].map(([destinationField, sourceField]) => ({ destinationField, sourceField })),
    });
    await completed(pipe.id);
    expect([
      await errorsOf(pipe.id),
      await world.rows(sql`SELECT * FROM shop.nullable ORDER BY id`),
    ]).toEqual([
      [],
      [
        ['1', 'Zoë', 'Bonn', 'Köln', ''],
        ['2', '', '', '', ''],
        ['3', 'x', '', 'Köln', ''],
      ],
    ]);
  });
});
