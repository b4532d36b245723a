import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startQueue } from '../kit/queue.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');
const isOfEngine = (agent: string | undefined): boolean => agent?.startsWith('aws-sdk-js') !== true;

const folder = mkdtempSync(join(tmpdir(), 'sightline-values-'));
let peer: S3Peer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startS3();
  world = await pipeWorld();
  await peer.bucket('values');
  world.pipes.start();
});
afterEach(() => peer.interfere(undefined));
afterAll(async () => {
  await world?.close();
  await peer?.remove();
  rmSync(folder, { recursive: true, force: true });
});
const columnsOf = (text: string): { name: string; type: string }[] =>
  text.split(';').map((column) => ({
    name: column.split(' ', 1)[0]!,
    type: column.slice(column.indexOf(' ') + 1),
  }));
const pipeOf = (name: string, columns: string, source: object = {}, more: object = {}): object => ({
  source: {
    objectStorage: {
      url: `${peer.endpoint}/values/${name}/**`,
      accessKey: peer.accessKey,
      ...source,
    },
  },
  destination: {
    database: 'shop',
    table: name,
    columns: columnsOf(columns),
    tableDefinition: { sortingKey: ['n'] },
  },
  ...more,
});
const put = async (name: string, objects: Record<string, string | Uint8Array>): Promise<void> => {
  for (const [key, body] of Object.entries(objects)) {
    await peer.put('values', `${name}/${key}`, body);
  }
};
/** What the engine writes in a format. */
async function written(format: string, select: ReturnType<typeof sql>): Promise<Buffer> {
  const path = join(folder, `${Math.random()}`);
  await world.telemetry.command(sql`INSERT INTO FUNCTION file(${path}, ${format}) ${select}`, {
    purpose: 'admin',
    timeoutMs: 20_000,
  });
  return readFileSync(path);
}
const ended = (id: string): Promise<unknown> =>
  until('the load to end', async () => {
    const { state, stateMessage } = await world.get(id);
    if (state !== 'Completed') {
      throw new Error(`${state}: ${stateMessage}`);
    }
    return true;
  });
const errorsOf = async (pipeId: string): Promise<{ position: string; reason: string }[]> =>
  (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '100' } })).value;
const load = async (body: object): Promise<string[]> => {
  const { id } = await world.create(body);
  await ended(id);
  return (await errorsOf(id))
    .map(({ position, reason }) => `${position.slice(position.indexOf('/') + 1)}: ${reason}`)
    .sort();
};
const table = (name: string): ReturnType<typeof sql> => qualified('shop', name);

describe('values of objects', () => {
  it('an integer too large for its column fails its object in every format: no value wraps around', async () => {
    await put('wide', {
      'a.json': '{"n":255,"a":[-128,127],"b":{"c":18446744073709551615}}\n',
      'b.csv': '0,"[1]",5\n',
      'c.tsv': '7\t[2]\t6\n',
      'o1.json': '{"n":256}\n',
      'o2.json': '{"n":1,"a":[128]}\n',
      'o3.json': '{"n":2,"b":{"c":18446744073709551616}}\n',
      'o4.csv': '300,[],1\n',
      'o5.tsv': '300\t[]\t1\n',
      'o6.json': '{"n":-1}\n',
      'a.parquet': await written('Parquet', sql`SELECT toInt64(200) AS n, [toInt64(3)] AS a`),
      'o7.parquet': await written('Parquet', sql`SELECT toInt64(300) AS n`),
      'o8.parquet': await written('Parquet', sql`SELECT toInt64(-1) AS n`),
      'a.avro': await written('Avro', sql`SELECT toInt64(201) AS n`),
      'o9.avro': await written('Avro', sql`SELECT toInt64(301) AS n`),
    });
    const mappings = [
      ['n', 'n'],
      ['a', 'a'],
      ['c', 'b.c'],
    ].map(([destinationField, sourceField]) => ({ destinationField, sourceField }));
    const reasons = await load(
      pipeOf(
        'wide',
        'n UInt8;a Array(Int8);c UInt64',
        {},
        { fieldMappings: mappings, settings: { object_storage_max_file_count: 4 } },
      ),
    );
    expect(reasons.map((reason) => reason.slice(0, 2))).toEqual([
      'o1',
      'o2',
      'o3',
      'o4',
      'o5',
      'o6',
      'o7',
      'o8',
      'o9',
    ]);
    for (const reason of reasons) {
      expect(reason).toMatch(
        /: a value is out of range for (?:[na] \(U?Int8\)|a column of type \w+)$/,
      );
    }
    expect(await world.rows(sql`SELECT n, a, c FROM ${table('wide')} ORDER BY n`)).toEqual([
      [0, [1], '5'],
      [7, [2], '6'],
      [200, [3], '0'],
      [201, [], '0'],
      [255, [-128, 127], '18446744073709551615'],
    ]);
  });

  it('nested values keep their shape, and objects may have more, fewer and other columns', async () => {
    await put('nested', {
      'a.parquet': await written(
        'Parquet',
        sql`SELECT toUInt64(1) AS n,
          [(toUInt8(1), 'x'), (toUInt8(2), 'y')]::Array(Tuple(k UInt8, v String)) AS items,
          map('a', toInt32(1)) AS m,
          (('deep', 1)::Tuple(s String, i Int8), 'o')
            ::Tuple(inner Tuple(s String, i Int8), o String) AS t,
          'more' AS extra`,
      ),
      'b.parquet': await written('Parquet', sql`SELECT toUInt64(2) AS n, 5 AS other`),
      'c.json':
        '{"n":3,"items":[{"k":9,"v":"ü"}],"m":{"b":-2},"t":{"inner":{"s":"q","i":-3}},"x":{"y":[1]}}\n',
    });
    const mappings = [
      ['n', 'n'],
      ['items', 'items'],
      ['m', 'm'],
      ['s', 't.inner.s'],
      ['i', 't.inner.i'],
    ].map(([destinationField, sourceField]) => ({ destinationField, sourceField }));
    expect(
      await load(
        pipeOf(
          'nested',
          'n UInt64;items Array(Tuple(k UInt8, v String));m Map(String, Int32);s String;i Int8',
          {},
          { fieldMappings: mappings },
        ),
      ),
    ).toEqual([]);
    expect(
      await world.rows(
        sql`SELECT n, toJSONString(items), m, s, i FROM ${table('nested')} ORDER BY n`,
      ),
    ).toEqual([
      ['1', '[{"k":1,"v":"x"},{"k":2,"v":"y"}]', { a: 1 }, 'deep', 1],
      ['2', '[]', {}, '', 0],
      ['3', '[{"k":9,"v":"ü"}]', { b: -2 }, 'q', -3],
    ]);
  });

  it('what has no content is no error, whatever it is called; a content without an ending is', async () => {
    await put('marks', {
      _SUCCESS: '',
      folder_$folder$: '',
      'deep/.keep': '',
      'a.json': lines(0, 3),
      README: 'how to',
    });
    expect(
      (await load(pipeOf('marks', 'n UInt64', {}))).map((reason) => reason.slice(0, 45)),
    ).toEqual(['README: its name does not tell its format: gi']);
    expect((await world.rows(sql`SELECT count() FROM ${table('marks')}`))[0]).toEqual(['3']);
  });
});

describe('text files', () => {
  it('JSON is read as lines, as an array, one after another, with or without a byte order mark', async () => {
    await put('forms', {
      'a.json': '[{"n":1},{"n":2}]',
      'b.json': '[\n{"n":3},\n{"n":4}\n]\n',
      'c.ndjson': '\ufeff{"n":5}\n{"n":6}',
      'd.json': '\ufeff[{"n":7}]',
      'e.json': '[]',
      'f.json': '{"n":8}{"n":9}\n\n{"n":10}',
      'g.json': '{\n "n": 11\n}\n',
      'cut.json': '[{"n":12},{"n":13}',
      'h.json.gz': Buffer.concat([gzipSync('{"n":14}\n'), gzipSync(''), gzipSync('{"n":15}\n')]),
      'cut.json.gz': Buffer.concat([
        gzipSync('{"n":16}\n'),
        gzipSync('{"n":17}\n').subarray(0, 15),
      ]),
    });
    expect(
      (await load(pipeOf('forms', 'n UInt64'))).map((reason) => reason.split(':', 1)[0]).sort(),
    ).toEqual(['cut.json', 'cut.json.gz']);
    expect(
      (await world.rows(sql`SELECT arraySort(groupArray(n)) FROM ${table('forms')}`))[0],
    ).toEqual([['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '14', '15']]);
  });

  it.each([
    ['\t', 'tab'],
    [' ', 'blank'],
    ['|', 'bar'],
    [';', 'semicolon'],
    ['\u0001', 'control'],
  ])('%j separates values of CSV', async (delimiter, name) => {
    await put(`by_${name}`, {
      'a.csv': `1${delimiter}x\n2${delimiter}"q""${delimiter}\r\n"\n`,
      'b.csv': `text${delimiter}n\r\ny${delimiter}3\r\n`,
    });
    expect(await load(pipeOf(`by_${name}`, 'n UInt64;text String', { delimiter }))).toEqual([]);
    expect(await world.rows(sql`SELECT n, text FROM ${table(`by_${name}`)} ORDER BY n`)).toEqual([
      ['1', 'x'],
      ['2', `q"${delimiter}\r\n`],
      ['3', 'y'],
    ]);
  });

  it('text files of Windows are read like others; a file that is nothing but its header gives no rows', async () => {
    await put('windows', {
      'a.tsv': '1\tx\\ty\r\n2\t\r\n',
      'b.tsv': 'text\tn\r\nz\t3\r\n',
      'c.csv': '4,w\r\n',
      'd.tsv': '5\tkept\\r\n',
      'e.csv': 'n,text\r\n',
      'f.csv': 'n,text',
      'g.tsv': 'n\ttext\n',
    });
    expect(await load(pipeOf('windows', 'n UInt64;text String'))).toEqual([]);
    expect(await world.rows(sql`SELECT n, text FROM ${table('windows')} ORDER BY n`)).toEqual([
      ['1', 'x\ty'],
      ['2', ''],
      ['3', 'z'],
      ['4', 'w'],
      ['5', 'kept\r'],
    ]);
  });
});

describe('which object is to blame', () => {
  it('a forbidden or archived object fails after five tries with its reason; the others are loaded', async () => {
    await put('closed', {
      'a.json': lines(0, 5),
      'b.json': lines(5, 10),
      'c.json': lines(10, 15),
      'cold.json': lines(15, 20),
      'd.json': lines(20, 25),
    });
    const fetched = { b: 0, cold: 0 };
    const said = {
      b: ['AccessDenied', 'Access Denied'],
      cold: ['InvalidObjectState', "The operation is not valid for the object's storage class"],
    };
    peer.interfere(({ method, url = '', headers }, response) => {
      const [, which] = /closed\/(b|cold)\.json/.exec(url) ?? [];
      if (which === undefined || !isOfEngine(headers['user-agent'])) {
        return false;
      }
      if (method === 'HEAD' && which === 'cold') {
        return false;
      }
      const [code, message] = said[which as 'b' | 'cold'];
      fetched[which as 'b' | 'cold']++;
      response
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(
          method === 'HEAD'
            ? undefined
            : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
        );
      return true;
    });
    const reasons = await load(
      pipeOf('closed', 'n UInt64', {}, { settings: { object_storage_max_file_count: 1 } }),
    );
    expect(reasons).toEqual([
      expect.stringMatching(
        /^b\.json: the object store denies the engine access to it \(403\).*given up after several tries$/,
      ) as unknown,
      expect.stringMatching(
        /^cold\.json: it is archived.*given up after several tries$/,
      ) as unknown,
    ]);
    expect(
      (await world.rows(sql`SELECT count(), uniqExact(n) FROM ${table('closed')}`))[0],
    ).toEqual(['15', '15']);
    expect(fetched.b).toBeGreaterThanOrEqual(5);
  });

  it('if all reads fail or the store is away, no object is given up, and all are loaded later', async () => {
    await put('shut', { 'a.json': lines(0, 5), 'b.json': lines(5, 10) });
    let [status, code] = [403, 'AccessDenied'];
    let refused = 0;
    peer.interfere(({ url = '', headers }, response) => {
      if (status === 200 || !url.includes('/shut/') || !isOfEngine(headers['user-agent'])) {
        return false;
      }
      refused++;
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
      return true;
    });
    const pipe = await world.create(
      pipeOf('shut', 'n UInt64', {}, { settings: { object_storage_max_file_count: 1 } }),
    );
    const degraded = (reason: RegExp): Promise<unknown> =>
      until(
        'Degraded',
        async () => {
          const { state, stateMessage } = await world.get(pipe.id);
          return state === 'Degraded' && reason.test(stateMessage ?? '');
        },
        30_000,
      );
    await degraded(/allow the credentials to read/);
    const before = refused;
    await until('more tries', () => Promise.resolve(refused > before + 12), 40_000);
    [status, code] = [503, 'SlowDown'];
    await degraded(/cannot fetch it/);
    status = 200;
    await ended(pipe.id);
    expect([
      await errorsOf(pipe.id),
      (await world.rows(sql`SELECT count(), uniqExact(n) FROM ${table('shut')}`))[0],
    ]).toEqual([[], ['10', '10']]);
  });

  it('a message stays in the queue while its object waits to be tried again', async () => {
    const queue = await startQueue();
    await put('asked', { 'a.json': lines(0, 5) });
    let closed = true;
    peer.interfere(({ method, url = '', headers }, response) => {
      if (!closed || !url.includes('asked/b.json') || !isOfEngine(headers['user-agent'])) {
        return false;
      }
      response
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(
          method === 'HEAD'
            ? undefined
            : '<Error><Code>AccessDenied</Code><Message>no</Message></Error>',
        );
      return true;
    });
    try {
      const pipe = await world.create(
        pipeOf(
          'asked',
          'n UInt64',
          { isContinuous: true, queueUrl: `${queue.url}/000000000000/events` },
          { settings: { object_storage_polling_interval_ms: 600_000 } },
        ),
      );
      await until('the queue is asked', async () => queue.receiveCount() > 0);
      await put('asked', { 'b.json': lines(5, 9) });
      queue.send({
        Records: [
          {
            eventName: 'ObjectCreated:Put',
            s3: { bucket: { name: 'values' }, object: { key: 'asked/b.json' } },
          },
        ],
      });
      const before = queue.receiveCount();
      await until('more questions', () => Promise.resolve(queue.receiveCount() > before + 2));
      expect([queue.remaining(), (await world.get(pipe.id)).state]).toEqual([1, 'Running']);
      closed = false;
      await until(
        'the rows, and no message left',
        async () =>
          (await world.rows(sql`SELECT toUInt8(count()) FROM ${table('asked')}`))[0]![0] === 9 &&
          queue.remaining() === 0,
        30_000,
      );
      await world.call('deletePipe', { params: { pipeId: pipe.id } });
    } finally {
      queue.stop();
    }
  });
});
