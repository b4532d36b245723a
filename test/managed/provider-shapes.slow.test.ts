import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';

/**
 * The bodies that clients of managed services send, by shape: every field that they set or repeat. No
 * reader runs here.
 */

let world: ApiWithEngine;
let service: string;
let tables = 0;
beforeAll(async () => {
  world = await startApiWithEngine();
  const { organizationId, serviceId } = world.api.managed;
  service = `/organizations/${organizationId}/services/${serviceId}`;
});
afterAll(() => world?.stop());

const call = (method: string, path: string, body?: object) =>
  world.api.managed.call(method, `${service}${path}`, body === undefined ? {} : { body });
async function result(method: string, path: string, body?: object) {
  const { status, text, json } = await call(method, path, body);
  expect(status, text).toBe(200);
  return json.result;
}

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const fieldMappings = columns.map(({ name }) => ({ sourceField: name, destinationField: name }));
const destination = (table: string) => ({
  database: 'telemetry',
  table,
  managedTable: true,
  tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['id'] },
  columns,
});
const mapping = (name: string) => ({
  sourceSchemaName: 'public',
  sourceTable: name,
  targetTable: name,
  useCustomSortingKey: false,
});
const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;

interface Shape {
  kind: string;
  /** Fields of the source that answers show, and those that they do not. */
  shown: Record<string, unknown>;
  secret: object;
  rest: object;
  /** The source of an update, with all that its clients repeat. */
  update: Record<string, unknown>;
  /** The shown fields that the update changes. */
  changed: object;
}

const kafka: Shape = {
  kind: 'kafka',
  shown: {
    type: 'gcmk',
    format: 'JSONEachRow',
    brokers: 'broker.example.com:9092',
    topics: 'orders',
    consumerGroup: 'shop',
    authentication: 'SCRAM-SHA-256',
    offset: { strategy: 'from_timestamp', timestamp: '2026-01-01T00:00' },
    reversePrivateEndpointIds: ['endpoint-1'],
    exactlyOnce: true,
  },
  secret: { credentials: { username: 'reader', password: 'first' } },
  rest: { destination: destination('kafka_orders'), fieldMappings },
  update: {
    authentication: 'SCRAM-SHA-256',
    reversePrivateEndpointIds: ['endpoint-1'],
    credentials: { username: 'reader', password: 'second' },
  },
  changed: {},
};
const objectStorage: Shape = {
  kind: 'objectStorage',
  shown: {
    type: 's3',
    format: 'JSONEachRow',
    url: 'https://shop.s3.us-east-1.amazonaws.com/orders/*.json',
    compression: 'auto',
    isContinuous: false,
    skipInitialLoad: false,
    authentication: 'IAM_ROLE',
    iamRole: role('first'),
  },
  secret: {},
  rest: { destination: destination('object_orders'), fieldMappings },
  update: {
    type: 's3',
    format: 'JSONEachRow',
    url: 'https://shop.s3.us-east-1.amazonaws.com/orders/*.json',
    compression: 'auto',
    isContinuous: false,
    skipInitialLoad: false,
    authentication: 'IAM_USER',
    accessKey: { accessKeyId: 'KEY', secretKey: 'secret' },
  },
  changed: { authentication: 'IAM_USER', iamRole: undefined },
};
const cloudstream: Shape = {
  kind: 'cloudstream',
  shown: {
    format: 'JSONEachRow',
    streamName: 'orders',
    region: 'us-east-1',
    iteratorType: 'TRIM_HORIZON',
    useEnhancedFanOut: true,
    authentication: 'IAM_ROLE',
    iamRole: role('first'),
  },
  secret: {},
  rest: { destination: destination('stream_orders'), fieldMappings },
  update: {
    format: 'JSONEachRow',
    streamName: 'orders',
    region: 'us-east-1',
    iteratorType: 'TRIM_HORIZON',
    useEnhancedFanOut: true,
    authentication: 'IAM_ROLE',
    iamRole: role('second'),
  },
  changed: { iamRole: role('second') },
};
const postgresSettings = {
  syncIntervalSeconds: 60,
  pullBatchSize: 100_000,
  replicationMode: 'cdc',
  allowNullableColumns: false,
  initialLoadParallelism: 4,
  snapshotNumRowsPerPartition: 100_000,
  snapshotNumberOfParallelTables: 1,
  enableFailoverSlots: false,
  deleteOnMerge: false,
};
const postgres: Shape = {
  kind: 'postgres',
  shown: {
    type: 'postgres',
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
    authentication: 'basic',
    disableTls: false,
    skipCertVerification: false,
    settings: postgresSettings,
    tableMappings: [
      { ...mapping('orders'), tableEngine: 'ReplacingMergeTree', partitionKey: '' },
      { ...mapping('items'), partitionByExpr: null },
    ],
  },
  secret: { credentials: { username: 'reader', password: 'first' } },
  rest: { destination: { database: 'telemetry' } },
  update: {
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
    authentication: 'basic',
    settings: { ...postgresSettings, syncIntervalSeconds: 30 },
    tableMappingsToAdd: [mapping('returns')],
    tableMappingsToRemove: [mapping('items')],
  },
  changed: {
    settings: { ...postgresSettings, syncIntervalSeconds: 30 },
    tableMappings: [
      { ...mapping('orders'), tableEngine: 'ReplacingMergeTree', partitionKey: '' },
      mapping('returns'),
    ],
  },
};
const shapes = [kafka, objectStorage, cloudstream, postgres];

async function create({ kind, shown, secret, rest }: Shape) {
  const created = await result('POST', '/pipes', {
    name: `pipe ${kind}`,
    source: { [kind]: { ...shown, ...secret } },
    ...rest,
    settings: { streaming_max_insert_wait_ms: 1000 },
  });
  return created.id as string;
}

describe.each(shapes)('a $kind pipe, by the bodies of clients of managed services', (shape) => {
  const { kind, shown, update, changed, rest } = shape;

  it('is created, read, changed and deleted without drift', async () => {
    const id = await create(shape);
    const read = () => result('GET', `/pipes/${id}`);
    const first = await read();
    expect(first.source).toEqual({ [kind]: shown });
    expect(first.settings).toEqual({ streaming_max_insert_wait_ms: 1000 });
    expect(first).toMatchObject(rest);
    expect(await read()).toEqual(first);

    const scaling = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 };
    await result('PATCH', `/pipes/${id}/scaling`, scaling);
    await result('PUT', `/pipes/${id}/settings`, { streaming_max_insert_wait_ms: 2000 });
    await result('PATCH', `/pipes/${id}`, { name: 'changed', source: { [kind]: update } });
    const second = await read();
    expect(second.source[kind]).toEqual(
      JSON.parse(JSON.stringify({ ...shown, ...changed })) as object,
    );
    expect(second).toMatchObject({ ...rest, name: 'changed', scaling });
    expect(second.settings).toEqual({ streaming_max_insert_wait_ms: 2000 });
    expect(await read()).toEqual(second);

    expect(Object.keys((await call('DELETE', `/pipes/${id}`)).json).sort()).toEqual([
      'requestId',
      'status',
    ]);
    expect((await call('GET', `/pipes/${id}`)).status).toBe(404);
  });

  it('an update that repeats the whole record changes nothing', async () => {
    const id = await create(shape);
    const before = await call('GET', `/pipes/${id}`);
    const { fieldMappings: mappings, ...record } = before.json.result;
    const repeat = { ...record, ...(kind === 'postgres' ? {} : { fieldMappings: mappings }) };
    const { status, text, json, headers } = await call('PATCH', `/pipes/${id}`, repeat);
    expect(status, text).toBe(200);
    expect(json.result).toEqual(before.json.result);
    expect(headers.get('etag')).toBe(before.headers.get('etag'));
  });
});

describe('fields that clients of managed services send', () => {
  const brokers = 'broker.example.com:9092';
  it.each([
    ['postgres', { authentication: 'IAM_ROLE' }, 'authentication'],
    ['postgres', { iamRole: role('any') }, 'iamRole'],
    ['postgres', { tlsHost: 'other.example.com' }, 'tlsHost'],
    ['postgres', { disableTls: true }, 'disableTls'],
    ['postgres', { skipCertVerification: true }, 'skipCertVerification'],
    ['postgres', { settings: { deleteOnMerge: true } }, 'settings.deleteOnMerge'],
    [
      'postgres',
      { tableMappings: [{ ...mapping('orders'), partitionKey: 'id' }] },
      'tableMappings.0.partitionKey',
    ],
    [
      'postgres',
      { tableMappings: [{ ...mapping('orders'), partitionByExpr: 'toYYYYMM(at)' }] },
      'tableMappings.0.partitionByExpr',
    ],
    ['objectStorage', { skipInitialLoad: true }, 'skipInitialLoad'],
    ['objectStorage', { startAfter: 'a.json' }, 'startAfter'],
    ['objectStorage', { serviceAccountKey: 'key' }, 'serviceAccountKey'],
  ])('are a 400 if they mean something else: %s %j', async (kind, wrong, path) => {
    const shape = shapes.find((each) => each.kind === kind)!;
    const { status, json } = await call('POST', '/pipes', {
      source: { [kind]: { ...shape.shown, ...shape.secret, ...wrong } },
      ...shape.rest,
    });
    expect(status).toBe(400);
    expect(json.errors.map((issue: { path: string }) => issue.path)).toContain(
      `source.${kind}.${path}`,
    );
  });

  it.each([
    [kafka, { source: { kafka: { brokers: 'other:9092' } } }, 'source.kafka.brokers'],
    [
      kafka,
      { source: { kafka: { offset: { strategy: 'from_latest' } } } },
      'source.kafka.offset.strategy',
    ],
    [kafka, { destination: { table: 'other' } }, 'destination.table'],
    [kafka, { scaling: { replicas: 7 } }, 'scaling.replicas'],
    [
      objectStorage,
      { source: { objectStorage: { isContinuous: true } } },
      'source.objectStorage.isContinuous',
    ],
    [
      cloudstream,
      { source: { cloudstream: { region: 'eu-west-1' } } },
      'source.cloudstream.region',
    ],
    [
      postgres,
      { source: { postgres: { settings: { replicationMode: 'snapshot' } } } },
      'source.postgres.settings.replicationMode',
    ],
    [
      postgres,
      { source: { postgres: { settings: { enableFailoverSlots: true } } } },
      'source.postgres.settings.enableFailoverSlots',
    ],
  ])('cannot be changed after the creation: %j %j', async (shape, body, path) => {
    const id = await create({
      ...shape,
      rest: shape.kind === 'postgres' ? shape.rest : { destination: destination(`t_${++tables}`) },
    });
    const before = await result('GET', `/pipes/${id}`);
    const { status, json } = await call('PATCH', `/pipes/${id}`, body);
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { path, message: 'cannot be changed. Omit it, or create a new pipe.' },
    ]);
    expect(await result('GET', `/pipes/${id}`)).toEqual(before);
  });

  it('may be repeated with the defaults of fields that the pipe leaves out', async () => {
    const { id } = await result('POST', '/pipes', {
      source: {
        kafka: { brokers, topics: 'orders', credentials: { username: 'a', password: 'b' } },
      },
      destination: { database: 'telemetry', table: 'defaults', columns },
    });
    const repeated = {
      type: 'kafka',
      format: 'JSONEachRow',
      brokers,
      topics: 'orders',
      consumerGroup: `pipes-${id}`,
      authentication: 'PLAIN',
      offset: { strategy: 'from_beginning' },
      exactlyOnce: false,
    };
    const before = await result('GET', `/pipes/${id}`);
    const body = { source: { kafka: repeated }, destination: { managedTable: true } };
    expect(await result('PATCH', `/pipes/${id}`, body)).toEqual(before);
  });
});

describe('the scaling of all pipes that replicate a database', () => {
  it('is changed in one call, and read back', async () => {
    for (const { id } of (await result('GET', '/pipes')) as { id: string }[]) {
      await call('DELETE', `/pipes/${id}`);
    }
    const size = { replicaCpuMillicores: 1000, replicaMemoryGb: 4 };
    expect((await call('GET', '/pipesCdcScaling')).status).toBe(404);
    expect((await call('PATCH', '/pipesCdcScaling', size)).status).toBe(404);
    const ids = [await create(postgres), await create(postgres)];
    const other = await create({ ...kafka, rest: { destination: destination('unscaled') } });
    expect(await result('GET', '/pipesCdcScaling')).toEqual({
      replicaCpuMillicores: 125,
      replicaMemoryGb: 0.5,
    });
    expect(await result('PATCH', '/pipesCdcScaling', size)).toEqual(size);
    expect(await result('GET', '/pipesCdcScaling')).toEqual(size);
    for (const id of ids) {
      expect((await result('GET', `/pipes/${id}`)).scaling).toMatchObject({ replicas: 1, ...size });
    }
    expect((await result('GET', `/pipes/${other}`)).scaling.replicaMemoryGb).toBe(0.5);
    const { status, json } = await call('PATCH', '/pipesCdcScaling', { replicaMemoryGb: 96 });
    expect([status, json.errors[0].path]).toEqual([400, 'replicaMemoryGb']);
  });
});

describe('a service', () => {
  it('has a state, which says whether its engine responds', async () => {
    expect((await result('GET', '')).state).toBe('running');
    const { organizationId } = world.api.managed;
    const { json } = await world.api.managed.call(
      'GET',
      `/organizations/${organizationId}/services`,
    );
    expect(json.result.map(({ state }: { state: string }) => state)).toEqual(['running']);
  });
});
