import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startAzurite, type AzuritePeer } from '../kit/azurite.ts';
import type { PipeDiscovery } from '../../src/contract/pipe/pipe-draft.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { arrivedRows, columnsOf, pipeDrafts } from '../pipes/pipe-drafts.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-discovery-'));
let peer: S3Peer;
let azure: AzuritePeer;
let world: PipeWorld;
beforeAll(async () => {
  [peer, azure, world] = await Promise.all([startS3(), startAzurite(), pipeWorld()]);
  await peer.bucket('found');
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await Promise.all([peer?.remove(), azure?.remove()]);
  rmSync(folder, { recursive: true, force: true });
});
const drafts = pipeDrafts(() => world, 'objectStorage');
const source = (path: string, rest: Record<string, unknown> = {}) => ({
  url: `${peer.endpoint}/found/${path}`,
  accessKey: peer.accessKey,
  ...rest,
});
const issueOf = async (draft: Record<string, unknown>) => {
  const { ok, steps, issues } = await drafts.check(draft);
  expect(ok).toBe(false);
  expect(issues).toHaveLength(1);
  return [steps.at(-1)?.step, issues[0]?.path, issues[0]?.reason];
};
/** A pipe into a table of this name, with the columns that are proposed. */
const into = (table: string, { proposal }: PipeDiscovery) => ({
  destination: { database: 'shop', table, columns: proposal?.destination?.columns },
});
/** Rows in a format, as the engine writes them. */
async function written(format: string): Promise<Buffer> {
  const path = join(folder, format);
  await world.telemetry.command(
    sql`INSERT INTO FUNCTION file(${path}, ${format}, ${structure}, 'none')
      SELECT number + 1, ['Zoë', 'Al'][number + 1], if(number = 0, NULL, 2.5),
        toDecimal64(9.9, 2), ['a'], tuple('Bern', 3000), toDate('2026-03-14'),
        toDateTime64('2026-03-14 09:26:53.589', 3, 'UTC'), '8f14e45f-ceea-467a-9575-28c0b6d3a1f0', 'paid'
      FROM numbers(2)`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return readFileSync(path);
}
const structure =
  'id UInt32, name String, ratio Nullable(Float64), price Decimal(18, 2), tags Array(String), ' +
  'home Tuple(city String, zip UInt32), ' +
  "day Date, at DateTime64(3, 'UTC'), code UUID, state Enum8('new' = 1, 'paid' = 2)";

describe('a bucket that is checked', () => {
  it('names the steps that work', async () => {
    await peer.put('found', 'check/a.json', '{"a":1}\n');
    expect(await drafts.check(source('check/*.json'))).toEqual({
      ok: true,
      issues: [],
      steps: ['connect', 'find', 'read'].map((step) => ({ step, ok: true })),
    });
  });

  it('names the step, the field and the reason that fail', async () => {
    await peer.put('found', 'check/b.unknown', 'x');
    expect(await issueOf(source('nowhere/*.json'))).toEqual([
      'find',
      'source.objectStorage.url',
      'nothing_found',
    ]);
    expect(await issueOf(source('check/*.unknown'))).toEqual([
      'read',
      'source.objectStorage.format',
      'unsupported',
    ]);
    expect(await issueOf({ ...source(''), url: `${peer.endpoint}/no-such-bucket/*.json` })).toEqual(
      ['find', 'source.objectStorage.url', 'not_found'],
    );
    const accessKey = { ...peer.accessKey, secretKey: 'wrong-secret-word' };
    for (const code of ['SignatureDoesNotMatch', 'InvalidAccessKeyId']) {
      peer.interfere((_, response) => {
        response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`);
        return true;
      });
      expect(await issueOf(source('check/*.json', { accessKey }))).toEqual([
        'connect',
        'source.objectStorage.accessKey',
        'login_refused',
      ]);
    }
    peer.interfere(undefined);
    expect(await issueOf({ ...source(''), url: 'http://127.0.0.1:9/found/*.json' })).toEqual([
      'connect',
      'source.objectStorage.url',
      'connection_failed',
    ]);
    peer.interfere((request, response) => {
      if (request.method === 'GET' && /\/check\/a\.json/.test(request.url ?? '')) {
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        return true;
      }
      return false;
    });
    expect(await issueOf(source('check/a.json'))).toEqual([
      'read',
      'source.objectStorage.accessKey',
      'not_permitted',
    ]);
    peer.interfere(undefined);
    expect(world.logged.join('\n')).not.toContain('wrong-secret-word');
  });
});

describe('a bucket that is explored', () => {
  it('lists the first objects that match, with their size', async () => {
    await peer.put('found', 'list/a.json', '{"a":1}\n');
    await peer.put('found', 'list/b.json', '');
    await peer.put('found', 'list/c.csv', 'a\n1\n');
    const { kind, items, hasMore } = await drafts.list(source('list/*.json'));
    expect([kind, hasMore]).toEqual(['objects', false]);
    expect(items).toEqual([{ id: 'list/a.json', bytes: 8, modifiedAt: expect.any(String) }]);
    for (let n = 0; n < 101; n++) {
      await peer.put('found', `many/${String(n).padStart(3, '0')}.json`, '{}');
    }
    const many = await drafts.list(source('many/*'));
    expect([many.items.length, many.hasMore, many.items[99]?.id]).toEqual([
      100,
      true,
      'many/099.json',
    ]);
  });

  it.each(['json', 'json.gz'])(
    'proposes columns with which a pipe loads %s as it is',
    async (ending) => {
      const text =
        '{"id":1,"user":{"name":"Zoë"},"at":"2026-03-14T09:26:53Z","note":null,"list":[{"a":1}]}\n' +
        '{"id":2,"user":{"name":"Al"},"at":"2026-03-14T09:26:54Z","note":"x","list":[]}\n';
      const name = `json/odd {1}, ü %20#?.${ending}`;
      await peer.put('found', name, ending === 'json' ? text : gzipSync(text));
      const draft = source(`json/*.${ending}`);
      const found = await drafts.look(draft, name);
      expect(found.records?.map(({ data }) => data)).toEqual(text.trimEnd().split('\n'));
      expect(columnsOf(found)).toEqual({
        id: 'Int64',
        user_name: 'String',
        at: "DateTime64(3, 'UTC')",
        note: 'Nullable(String)',
        list: 'Array(String)',
      });
      const table = `json_${ending.replace('.', '_')}`;
      const columns = found.proposal?.destination?.columns ?? [];
      await drafts.create(draft, found, { destination: { database: 'shop', table, columns } });
      expect(await arrivedRows(world, table, 2)).toEqual([
        {
          id: '1',
          user_name: 'Zoë',
          at: '2026-03-14 09:26:53.000',
          note: null,
          list: ['{"a":1}'],
        },
        { id: '2', user_name: 'Al', at: '2026-03-14 09:26:54.000', note: 'x', list: [] },
      ]);
    },
  );
});

describe('objects that are explored', () => {
  it('proposes columns for mixed and nested values, from an array of records too', async () => {
    const rows = [
      {
        id: 1,
        size: 'L',
        price: 9.5,
        user: { name: 'Zoë', home: { zip: 3000 } },
        tags: ['a'],
        any: 1,
      },
      { id: 18446744073709551615n, size: 42, price: 9, user: null, tags: [1], any: { deep: true } },
    ];
    const text = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'bigint' ? 'big' : value,
    ).replace('"big"', '18446744073709551615');
    await peer.put('found', 'mixed/array.json', text);
    const draft = source('mixed/*');
    const found = await drafts.look(draft, 'mixed/array.json');
    expect([found.issues, columnsOf(found)]).toEqual([
      [],
      {
        id: 'UInt64',
        size: 'String',
        price: 'Float64',
        user_name: 'Nullable(String)',
        user_home_zip: 'Nullable(Int64)',
        tags: 'Array(String)',
        any: 'String',
      },
    ]);
    await drafts.create(draft, found, into('mixed', found));
    expect(await arrivedRows(world, 'mixed', 2)).toEqual([
      {
        id: '1',
        size: 'L',
        price: 9.5,
        user_name: 'Zoë',
        user_home_zip: '3000',
        tags: ['a'],
        any: '1',
      },
      {
        id: '18446744073709551615',
        size: '42',
        price: 9,
        user_name: null,
        user_home_zip: null,
        tags: ['1'],
        any: '{"deep":true}',
      },
    ]);
  });

  it('proposes columns for headers of any kind', async () => {
    const text = '"Order id";"unit.price";Größe;note\n7;"9,90";XL;"a;""b"" c"\n8;1,50;S;\n';
    await peer.put('found', 'header/odd.csv', text);
    const draft = source('header/odd.csv', { delimiter: ';' });
    const found = await drafts.look(draft, 'header/odd.csv');
    expect([found.issues, columnsOf(found)]).toEqual([
      [],
      { 'Order id': 'Int64', unit_price: 'String', Größe: 'String', note: 'Nullable(String)' },
    ]);
    await drafts.create(draft, found, into('headers', found));
    expect(await arrivedRows(world, 'headers', 2)).toEqual([
      { 'Order id': '7', unit_price: '9,90', Größe: 'XL', note: 'a;"b" c' },
      { 'Order id': '8', unit_price: '1,50', Größe: 'S', note: null },
    ]);
  });

  const csv =
    'id,day,code,price\n' +
    '1,2026-03-14,8f14e45f-ceea-467a-9575-28c0b6d3a1f0,9.5\n' +
    '2,2026-03-15,8f14e45f-ceea-467a-9575-28c0b6d3a1f1,\n';
  const csvTypes = { id: 'Int64', day: 'Date32', code: 'UUID', price: 'Nullable(Float64)' };
  it.each([
    ['csv', undefined, csv, csvTypes],
    ['named.csv', 'CSVWithNames', csv, csvTypes],
    ['tsv', undefined, csv.replaceAll(',', '\t').replace('\t\n', '\t\\N\n'), csvTypes],
    ['plain.csv', 'CSV', '1,x\n2,y\n', { c1: 'Int64', c2: 'String' }],
  ])(
    'proposes columns with which a pipe loads %s as it is',
    async (ending, format, text, types) => {
      await peer.put('found', `text/all.${ending}`, text);
      const draft = source(`text/all.${ending}`, format === undefined ? {} : { format });
      const found = await drafts.look(draft, `text/all.${ending}`);
      expect([found.issues, columnsOf(found)]).toEqual([[], types]);
      const table = `text_${ending.replace('.', '_')}`;
      const columns = found.proposal?.destination?.columns ?? [];
      await drafts.create(draft, found, { destination: { database: 'shop', table, columns } });
      const rows = await arrivedRows(world, table, 2);
      expect(rows[0]).toEqual(
        format === 'CSV'
          ? { c1: '1', c2: 'x' }
          : {
              id: '1',
              day: '2026-03-14',
              code: '8f14e45f-ceea-467a-9575-28c0b6d3a1f0',
              price: 9.5,
            },
      );
      if (format !== 'CSV') {
        expect(rows[1]?.['price']).toBeNull();
      }
    },
  );
});

describe('objects whose format has types, or that are broken', () => {
  it.each([
    ['Parquet', 'parquet'],
    ['Avro', 'avro'],
  ])('proposes columns with which a pipe loads %s as it is', async (format, ending) => {
    await peer.put('found', `typed/rows.${ending}`, await written(format));
    const draft = source(`typed/rows.${ending}`);
    const found = await drafts.look(draft, `typed/rows.${ending}`);
    expect(found.issues).toEqual([]);
    expect(found.records).toHaveLength(2);
    expect(columnsOf(found)).toMatchObject({
      name: 'String',
      ratio: 'Nullable(Float64)',
      price: 'Decimal(18, 2)',
      day: 'Date32',
      at: expect.stringMatching(/^DateTime64\(3/),
      code: 'UUID',
      state: expect.stringMatching(/^(?:String|Enum8)/),
    });
    await drafts.create(draft, found, {
      destination: {
        database: 'shop',
        table: ending,
        columns: found.proposal?.destination?.columns,
      },
    });
    const rows = await arrivedRows(world, ending, 2);
    const times = [
      '2026-03-14',
      '2026-03-14 09:26:53.589',
      '8f14e45f-ceea-467a-9575-28c0b6d3a1f0',
      'paid',
    ];
    expect(
      rows.map(({ id, name, ratio, price, tags, home, day, at, code, state }) => [
        String(id),
        name,
        ratio,
        price,
        tags,
        home,
        day,
        at,
        code,
        state,
      ]),
    ).toEqual([
      ['1', 'Zoë', null, '9.9', ['a'], expect.objectContaining({ city: 'Bern' }), ...times],
      ['2', 'Al', 2.5, '9.9', ['a'], expect.objectContaining({ city: 'Bern' }), ...times],
    ]);
  });

  it('says what is wrong with an object, without the credentials', async () => {
    const noise = randomBytes(3000).toString('hex');
    const whole = gzipSync(JSON.stringify({ noise }));
    await peer.put('found', 'bad/cut.json.gz', whole.subarray(0, 1000));
    await peer.put('found', 'bad/no.parquet', 'not Parquet');
    for (const name of ['bad/cut.json.gz', 'bad/no.parquet']) {
      const { ok, issues } = await drafts.look(source('bad/**'), name);
      expect([ok, issues.map(({ path, reason }) => [path, reason])]).toEqual([
        false,
        [['source.objectStorage.url', 'unreadable']],
      ]);
    }
    expect((await drafts.look(source('bad/*.json.gz'), 'bad/no.parquet')).issues).toEqual([
      expect.objectContaining({ path: 'item', reason: 'not_found' }),
    ]);
    expect(world.logged.join('\n')).not.toContain(peer.accessKey.secretKey);
  });
});

describe('a look at a bucket', () => {
  it('only reads from it', async () => {
    const before = peer.requests.length;
    await peer.put('found', 'quiet/a.json', '{"a":1}\n');
    const draft = source('quiet/*');
    await drafts.check(draft);
    await drafts.list(draft);
    await drafts.look(draft, 'quiet/a.json');
    const requests = peer.requests.slice(before);
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((request) => !/^(?:GET|HEAD) /.test(request))).toEqual([]);
  });
});

describe('a container of Azure', () => {
  it('is checked, explored and loaded as it is', async () => {
    await azure.container('found');
    await azure.put('found', 'in/a.json', '{"id":1,"text":"ü"}\n{"id":2,"text":"x"}\n');
    const draft = {
      containerName: 'found',
      connectionString: azure.connectionString,
      path: 'in/*.json',
    };
    expect((await drafts.check(draft)).ok).toBe(true);
    expect((await drafts.list(draft)).items.map(({ id }) => id)).toEqual(['in/a.json']);
    const found = await drafts.look(draft, 'in/a.json');
    expect([found.issues, columnsOf(found)]).toEqual([[], { id: 'Int64', text: 'String' }]);
    await drafts.create(draft, found, {
      destination: {
        database: 'shop',
        table: 'blobs',
        columns: found.proposal?.destination?.columns,
      },
    });
    expect(await arrivedRows(world, 'blobs', 2)).toEqual([
      { id: '1', text: 'ü' },
      { id: '2', text: 'x' },
    ]);
    expect(await issueOf({ ...draft, path: 'nowhere/*' })).toEqual([
      'find',
      'source.objectStorage.path',
      'nothing_found',
    ]);
    const other = azure.connectionString.replace(
      azure.key,
      Buffer.from('other').toString('base64'),
    );
    expect(await issueOf({ ...draft, connectionString: other })).toEqual([
      'connect',
      'source.objectStorage.connectionString',
      expect.stringMatching(/login_refused|not_permitted/),
    ]);
    expect(world.logged.join('\n')).not.toContain(azure.key);
  });
});
