import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

type Answer = Awaited<ReturnType<ApiKit['managed']['call']>>;

/**
 * What may be asked of a pipe, over HTTP: bounds, merging, refusals, versions. No reader runs here.
 */

let engine: TestTelemetry;
let api: ApiKit;
let base: string;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry });
  base = `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/pipes`;
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const account =
  'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=c2VjcmV0LW9mLXRoZS1zaG9w;EndpointSuffix=core.windows.net';
const table = (source: string, target: string) => ({
  sourceSchemaName: 'public',
  sourceTable: source,
  targetTable: target,
});
const sources = {
  kafka: {
    brokers: '127.0.0.1:9',
    topics: 'orders',
    authentication: 'PLAIN',
    credentials: { username: 'hidden-reader', password: 'hidden-password' },
  },
  objectStorage: {
    containerName: 'shop',
    connectionString: account,
    path: '*.json',
    format: 'JSONEachRow',
  },
  cloudstream: {
    streamName: 'orders',
    region: 'us-east-1',
    accessKey: { accessKeyId: 'HIDDENKEY', secretKey: 'hidden-secret' },
  },
  postgres: {
    host: '127.0.0.1',
    database: 'shop',
    credentials: { username: 'hidden-reader', password: 'hidden-password' },
    tableMappings: [table('orders', 'orders'), table('items', 'items')],
  },
};
type Kind = keyof typeof sources;
let tables = 0;
async function create(kind: Kind, rest: object = {}): Promise<string> {
  const destination =
    kind === 'postgres'
      ? { database: 'telemetry' }
      : { database: 'telemetry', table: `pipe_${++tables}`, columns };
  const { status, json, text } = await api.managed.call('POST', base, {
    body: { source: { [kind]: sources[kind] }, destination, ...rest },
  });
  expect(status, text).toBe(200);
  return json.result.id;
}
const call = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api.managed.call(method, `${base}/${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
const result = async (answer: Promise<Answer>) => {
  const { status, json, text } = await answer;
  expect(status, text).toBe(200);
  return json.result;
};
/** A refusal that names the path, and changes nothing. */
async function refused(id: string, body: object, path: string): Promise<string> {
  const before = (await call('GET', id)).text.replace(/"requestId":"[^"]*"/, '');
  const { status, json, text } = await call('PATCH', id, body);
  expect([status, json.error?.slice(0, 12)], text).toEqual([400, 'BAD_REQUEST:']);
  expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
  expect((await call('GET', id)).text.replace(/"requestId":"[^"]*"/, '')).toBe(before);
  return json.errors.find((error: { path: string }) => error.path === path).message;
}

describe('scaling and settings of a pipe', () => {
  it('scaling is changed field by field, within its bounds', async () => {
    const id = await create('kafka');
    expect(
      (await result(call('PATCH', `${id}/scaling`, { replicas: 3, replicaMemoryGb: 1.5 }))).scaling,
    ).toEqual({ replicas: 3, concurrency: 0, replicaCpuMillicores: 125, replicaMemoryGb: 1.5 });
    expect((await result(call('PATCH', `${id}/scaling`, { concurrency: 35 }))).scaling).toEqual({
      replicas: 3,
      concurrency: 35,
      replicaCpuMillicores: 125,
      replicaMemoryGb: 1.5,
    });
    for (const [name, wrong] of [
      ['replicas', 0],
      ['replicas', 41],
      ['replicas', 1.5],
      ['concurrency', -1],
      ['concurrency', 36],
      ['replicaCpuMillicores', 124],
      ['replicaCpuMillicores', 2001],
      ['replicaMemoryGb', 0.4],
      ['replicaMemoryGb', 8.1],
      ['replicas', '2'],
      ['replicas', null],
      ['colour', 1],
    ] as const) {
      const { status, json } = await call('PATCH', `${id}/scaling`, { [name]: wrong });
      expect([name, wrong, status, json.errors?.[0]?.path]).toEqual([name, wrong, 400, name]);
    }
    for (const right of [
      { replicas: 1 },
      { replicas: 40 },
      { concurrency: 0 },
      { concurrency: 35 },
      { replicaCpuMillicores: 2000 },
      { replicaMemoryGb: 0.5 },
      { replicaMemoryGb: 8 },
    ]) {
      expect((await call('PATCH', `${id}/scaling`, right)).status).toBe(200);
    }
    expect((await result(call('GET', id))).scaling).toEqual({
      replicas: 40,
      concurrency: 35,
      replicaCpuMillicores: 2000,
      replicaMemoryGb: 8,
    });
  });

  it('settings are read whole and merged; null goes back to the default', async () => {
    const id = await create('kafka', { settings: { streaming_max_insert_wait_ms: 1000 } });
    expect((await result(call('GET', id))).settings).toEqual({
      streaming_max_insert_wait_ms: 1000,
    });
    expect(await result(call('GET', `${id}/settings`))).toEqual({
      ...defaultPipeSettings(),
      streaming_max_insert_wait_ms: 1000,
    });
    expect(
      await result(
        call('PUT', `${id}/settings`, {
          engine_max_threads: 8,
          object_storage_use_cluster_function: false,
        }),
      ),
    ).toEqual({
      ...defaultPipeSettings(),
      streaming_max_insert_wait_ms: 1000,
      engine_max_threads: 8,
      object_storage_use_cluster_function: false,
    });
    expect(
      await result(
        call('PUT', `${id}/settings`, {
          streaming_max_insert_wait_ms: null,
          object_storage_use_cluster_function: null,
        }),
      ),
    ).toEqual({ ...defaultPipeSettings(), engine_max_threads: 8 });
    expect(
      (
        await result(
          call('PATCH', id, {
            settings: { engine_max_threads: null, engine_max_insert_threads: 2 },
          }),
        )
      ).settings,
    ).toEqual({ engine_max_insert_threads: 2 });
    for (const [name, wrong] of [
      ['streaming_max_insert_wait_ms', 499],
      ['streaming_max_insert_wait_ms', 60_001],
      ['object_storage_max_insert_bytes', 10_485_759],
      ['engine_parallel_distributed_insert_select', 3],
      ['engine_parallel_view_processing', 1],
      ['colour', 1],
    ] as const) {
      expect([
        name,
        (await call('PUT', `${id}/settings`, { [name]: wrong, engine_max_threads: 1 })).status,
      ]).toEqual([name, 400]);
    }
    expect(await result(call('GET', `${id}/settings`))).toEqual({
      ...defaultPipeSettings(),
      engine_max_insert_threads: 2,
    });
  });

  it('a change under an old version is a 412, whatever is changed', async () => {
    const id = await create('kafka');
    const old = (await call('GET', id)).headers.get('etag')!;
    const changed = await call('PATCH', `${id}/scaling`, { replicas: 2 }, { 'if-match': old });
    expect(changed.status).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', id, { name: 'late' }],
      ['PATCH', `${id}/scaling`, { replicas: 4 }],
      ['PUT', `${id}/settings`, { engine_max_threads: 3 }],
      ['DELETE', id, undefined],
    ] as const) {
      expect([
        method,
        path.slice(id.length),
        (await call(method, path, body, { 'if-match': old })).status,
      ]).toEqual([method, path.slice(id.length), 412]);
    }
    const now = await call('GET', id);
    expect(now.json.result.scaling).toMatchObject({ replicas: 2 });
    expect(now.json.result.settings).toEqual({});
    expect(
      (await call('PATCH', id, { name: 'in time' }, { 'if-match': now.headers.get('etag')! })).json
        .result.name,
    ).toBe('in time');
    expect((await call('DELETE', id, undefined, { 'if-match': '*' })).status).toBe(200);
  });
});

describe('the PATCH of a pipe', () => {
  it('parallel PATCHes of different fields are all kept, and none is a 409', async () => {
    const id = await create('kafka');
    const changes: [string, object][] = [
      [id, { name: 'renamed' }],
      [id, { settings: { engine_max_threads: 3 } }],
      [id, { settings: { streaming_max_insert_wait_ms: 700 } }],
      [id, { source: { kafka: { iamRole: 'arn:aws:iam::123456789012:role/reader' } } }],
      [`${id}/scaling`, { replicas: 2 }],
      [`${id}/scaling`, { concurrency: 3 }],
    ];
    const answers = await Promise.all(changes.map(([path, body]) => call('PATCH', path, body)));
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(
      changes.map(() => 200),
    );
    expect((await call('GET', id)).json.result).toMatchObject({
      name: 'renamed',
      settings: { engine_max_threads: 3, streaming_max_insert_wait_ms: 700 },
      source: { kafka: { iamRole: 'arn:aws:iam::123456789012:role/reader' } },
      scaling: { replicas: 2, concurrency: 3 },
    });
  });

  it.each(Object.keys(sources) as Kind[])(
    'PATCH of a %s pipe refuses the keys of every other kind',
    async (kind) => {
      const id = await create(kind);
      for (const other of Object.keys(sources) as Kind[]) {
        if (other !== kind) {
          expect(
            await refused(id, { name: 'changed', source: { [other]: {} } }, `source.${other}`),
          ).toBe(`this pipe's source is ${kind}`);
        }
      }
    },
  );

  it.each([
    ['kafka', { colour: 1 }, 'colour'],
    ['kafka', { scaling: { replicas: 2 } }, 'scaling.replicas'],
    ['kafka', { destination: { table: 'other' } }, 'destination.table'],
    ['kafka', { source: { kafka: { brokers: 'other:9092' } } }, 'source.kafka.brokers'],
    ['kafka', { source: { kafka: { topics: 'other' } } }, 'source.kafka.topics'],
    [
      'objectStorage',
      { source: { objectStorage: { url: 'https://127.0.0.1/x' } } },
      'source.objectStorage.url',
    ],
    [
      'cloudstream',
      { source: { cloudstream: { streamName: 'other' } } },
      'source.cloudstream.streamName',
    ],
    [
      'postgres',
      { source: { postgres: { settings: { publicationName: 'other' } } } },
      'source.postgres.settings.publicationName',
    ],
    [
      'postgres',
      { source: { postgres: { tableMappings: [table('other', 'other')] } } },
      'source.postgres.tableMappings',
    ],
  ] as const)(
    'PATCH of a %s pipe refuses what may not be changed: %j',
    async (kind, body, path) => {
      await refused(await create(kind), { name: 'changed', ...body }, path);
    },
  );

  it('fieldMappings without columns are checked against the stored ones', async () => {
    const id = await create('kafka');
    const mapping = (...pairs: [string, string][]) => ({
      name: 'changed',
      fieldMappings: pairs.map(([sourceField, destinationField]) => ({
        sourceField,
        destinationField,
      })),
    });
    await refused(id, mapping(['a', 'id']), 'fieldMappings');
    await refused(
      id,
      mapping(['a', 'id'], ['b', 'nothing'], ['c', 'text']),
      'fieldMappings.1.destinationField',
    );
    await refused(
      id,
      mapping(['a', 'id'], ['b', 'text'], ['c', 'text']),
      'fieldMappings.2.destinationField',
    );
    await refused(
      id,
      { name: 'changed', destination: { columns: [{ name: 'id', type: 'String' }] } },
      'destination.columns.0.type',
    );
    expect(
      (await result(call('PATCH', id, mapping(['a.b', 'id'], ['_key', 'text'])))).fieldMappings,
    ).toHaveLength(2);
    await refused(
      id,
      { name: 'again', destination: { columns: [...columns, { name: 'more', type: 'String' }] } },
      'fieldMappings',
    );
    const more = await result(
      call('PATCH', id, {
        destination: { columns: [...columns, { name: 'more', type: 'Nullable(String)' }] },
        fieldMappings: [],
      }),
    );
    expect(more.destination.columns).toHaveLength(3);
  });
});

describe('a new pipe', () => {
  it('a refused create names every invalid path at once and creates nothing', async () => {
    const total = (await call('GET', '')).json.result.length;
    const wrong = await api.managed.call('POST', base, {
      body: {
        source: { kafka: { brokers: '10.1.2.3:9092', topics: 'orders' } },
        destination: {
          database: 'system',
          table: 'never_made',
          columns: [
            { name: 'id', type: 'Strin' },
            { name: 'also', type: 'Strin' },
            { name: 'text', type: 'String; DROP TABLE x' },
          ],
          tableDefinition: { sortingKey: ['id', 'nowhere'], partitionBy: 'toYYYYMM(' },
        },
      },
    });
    expect([
      wrong.status,
      wrong.json.errors.map(({ path }: { path: string }) => path).toSorted(),
    ]).toEqual([
      400,
      [
        'destination.columns.0.type',
        'destination.columns.1.type',
        'destination.columns.2.type',
        'destination.database',
        'destination.tableDefinition.partitionBy',
        'destination.tableDefinition.sortingKey.1',
        'source.kafka.brokers',
      ],
    ]);
    expect(
      wrong.json.errors.find(({ path }: { path: string }) => path === 'destination.columns.1.type')
        .message,
    ).toBe(
      "is not a type that the engine supports: Unknown data type family: Strin. Maybe you meant: ['String']",
    );
    expect((await call('GET', '')).json.result.length).toBe(total);
  });

  it.each([true, false])(
    'a table that is there is checked column by column, and left as it is (managedTable %s)',
    async (managedTable) => {
      const name = `owned_${managedTable}`;
      await engine.telemetry.command(
        sql`CREATE TABLE telemetry.${identifier(name)} (id UInt64, price Decimal(10, 2),
            tags Array(LowCardinality(String)), more String DEFAULT 'x')
          ENGINE = MergeTree ORDER BY id`,
        { purpose: 'admin', timeoutMs: 30_000 },
      );
      const create = (...columns: [string, string][]) =>
        api.managed.call('POST', base, {
          body: {
            source: { kafka: sources.kafka },
            destination: {
              database: 'telemetry',
              table: name,
              managedTable,
              columns: columns.map(([column, type]) => ({ name: column, type })),
            },
          },
        });
      const wrong = await create(
        ['id', 'UInt32'],
        ['prize', 'String'],
        ['price', 'Decimal(10, 3)'],
        ['tags', 'Array(LowCardinality(String))'],
      );
      expect([wrong.status, wrong.json.errors]).toEqual([
        400,
        [
          {
            path: 'destination.columns.0.type',
            message: 'is UInt32, but the column in the table is UInt64',
          },
          { path: 'destination.columns.1.name', message: 'the table has no column prize' },
          {
            path: 'destination.columns.2.type',
            message: 'is Decimal(10, 3), but the column in the table is Decimal(10, 2)',
          },
        ],
      ]);
      // The engine's own spelling counts, not the caller's.
      expect(
        (
          await create(
            ['id', 'UInt64'],
            ['price', 'DECIMAL(10,2)'],
            ['tags', 'Array( LowCardinality(String) )'],
          )
        ).status,
      ).toBe(200);
      expect(
        (await engine.telemetry.columns('telemetry', name)).map((column) => column.name),
      ).toEqual(['id', 'price', 'tags', 'more']);
    },
  );

  it('a table of its owner that is not there is not made', async () => {
    const { status, json } = await api.managed.call('POST', base, {
      body: {
        source: { kafka: sources.kafka },
        destination: { database: 'telemetry', table: 'nobodys', managedTable: false, columns },
      },
    });
    expect([status, json.errors]).toEqual([
      400,
      [
        {
          path: 'destination.table',
          message:
            'table "nobodys" does not exist in database "telemetry". Create it, or set managedTable to true',
        },
      ],
    ]);
    expect(await engine.telemetry.columns('telemetry', 'nobodys')).toEqual([]);
  });

  it('validateSamples with nobody at the address tells why, and promises nothing', async () => {
    for (const [kind, reason] of [
      ['kafka', /^cannot reach the Kafka brokers \(connection refused\)$/],
      ['postgres', /^cannot reach the PostgreSQL server \(connection refused\)$/],
    ] as const) {
      const { status, json } = await api.managed.call('POST', base, {
        body: {
          source: {
            [kind]: { ...sources[kind], ...(kind === 'postgres' && { port: 9 }) },
            validateSamples: true,
          },
          destination:
            kind === 'postgres'
              ? { database: 'telemetry' }
              : { database: 'telemetry', table: 'never_made', columns },
        },
      });
      expect([status, json.errors?.[0]?.path]).toEqual([400, `source.${kind}`]);
      expect(json.errors[0].message).toMatch(reason);
    }
  });
});

describe('tables and commands of a pipe', () => {
  it('tables of a postgres pipe come and go by the rules', async () => {
    const id = await create('postgres');
    const change = (tableMappingsToAdd: object[], tableMappingsToRemove: object[] = []) => ({
      name: 'changed',
      source: { postgres: { tableMappingsToAdd, tableMappingsToRemove } },
    });
    const path = 'source.postgres';
    await refused(
      id,
      change([table('other', 'items')]),
      `${path}.tableMappingsToAdd.0.targetTable`,
    );
    await refused(id, change([], [table('nothing', 'nothing')]), `${path}.tableMappingsToRemove.0`);
    await refused(
      id,
      change([table('orders', 'orders')], [table('orders', 'orders')]),
      `${path}.tableMappingsToAdd.0`,
    );
    await refused(
      id,
      change([table('a', 'same'), table('b', 'same')]),
      `${path}.tableMappingsToAdd.1.targetTable`,
    );
    await refused(
      id,
      change([], [table('orders', 'orders'), table('items', 'items')]),
      `${path}.tableMappingsToRemove`,
    );
    const { source } = await result(
      call('PATCH', id, change([table('others', 'orders')], [table('orders', 'orders')])),
    );
    expect(
      source.postgres.tableMappings.map(
        ({ sourceTable, targetTable }: { sourceTable: string; targetTable: string }) =>
          `${sourceTable} > ${targetTable}`,
      ),
    ).toEqual(['items > items', 'others > orders']);
  });

  it.each(Object.keys(sources) as Kind[])(
    'a %s pipe is stopped once or twice, started when it is not at work, and resynced only where it can be',
    async (kind) => {
      const id = await create(kind);
      const state = (command: string): Promise<Answer> => call('PATCH', `${id}/state`, { command });
      expect((await state('start')).json.error).toMatch(/the pipe is running already/);
      expect((await state('start')).status).toBe(400);
      const stopping = kind === 'postgres' ? 'Pausing' : 'Stopping';
      expect((await result(state('stop'))).state).toBe(stopping);
      expect((await result(state('stop'))).state).toBe(stopping);
      expect((await result(state('start'))).state).toBe('Provisioning');
      const resync = await state('resync');
      if (kind === 'postgres') {
        expect(resync.json.result.state).toBe('Provisioning');
      } else {
        expect([resync.status, resync.json.errors[0].path]).toEqual([400, 'command']);
      }
      expect((await state('pause')).status).toBe(400);
    },
  );
});

describe('credentials of a pipe', () => {
  it('a masked connection string that is sent back keeps the stored one', async () => {
    const id = await create('objectStorage');
    const shown = (await result(call('GET', id))).source.objectStorage.connectionString;
    expect(shown).toContain('AccountKey=***');
    const stored = async () => {
      const document = await api.store.documents.get(api.first.workspace.id, 'pipe', id);
      return JSON.parse(api.vault.open(document!.sealed!, `pipe/${id}`)) as {
        connectionString: string;
      };
    };
    expect(
      (
        await result(
          call('PATCH', id, {
            source: { objectStorage: { connectionString: shown, path: 'other/*.json' } },
          }),
        )
      ).source.objectStorage,
    ).toMatchObject({ connectionString: shown, path: 'other/*.json' });
    expect((await stored()).connectionString).toBe(account);
    const other = account.replace('c2VjcmV0', 'b3RoZXIt');
    expect(
      (await call('PATCH', id, { source: { objectStorage: { connectionString: other } } })).text,
    ).not.toContain('b3RoZXIt');
    expect((await stored()).connectionString).toBe(other);
  });

  it('metrics in the list are true or false', async () => {
    const { status, json } = await api.managed.call('GET', `${base}?metrics=yes`);
    expect([status, json.error]).toEqual([400, expect.stringContaining('metrics')]);
  });

  it('no answer carries a credential', async () => {
    const responses: string[] = [];
    for (const kind of Object.keys(sources) as Kind[]) {
      const id = await create(kind);
      const answers = [
        call('GET', id),
        call('PATCH', id, { name: kind }),
        call('PATCH', id, {
          source: { [kind]: { credentials: 5, accessKey: 5, connectionString: 5 } },
        }),
        call('PATCH', `${id}/scaling`, {}),
        call('GET', `${id}/settings`),
        call('GET', `${id}/metrics`),
        call('GET', `${id}/errors`),
        call('PATCH', `${id}/state`, { command: 'stop' }),
        api.managed.call('GET', base),
        api.managed.call('GET', `${base}?metrics=true`),
        api.managed.call('POST', base, {
          body: { source: { [kind]: { ...sources[kind], colour: 1 } } },
        }),
        call('DELETE', id),
      ];
      responses.push(...(await Promise.all(answers)).map(({ text }) => text));
    }
    for (const secret of ['hidden-', 'HIDDENKEY', 'c2VjcmV0LW9mLXRoZS1zaG9w']) {
      expect(responses.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(api.logLines.filter((line) => /hidden-|HIDDENKEY|c2VjcmV0LW9m/.test(line))).toEqual([]);
  });
});
