import { describe, expect, it } from 'vitest';
import { PipeCreateBody, PipeUpdateBody } from './pipe.ts';
import {
  defaultPipeSettings,
  mergePipeSettings,
  PipeScalingInput,
  pipeSettingBounds,
  PipeSettingsInput,
} from './settings.ts';
import { fieldsWithin, maskConnectionString } from './object-storage.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const privateKey = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';
const role = 'arn:aws:iam::123456789012:role/reader';
const user = { username: 'u', password: 'p' };
const kafka = { brokers: 'one:9092, two:9093', topics: 'orders' };
const objects = { url: 'https://bucket.example.com/data/**/*.json' };
const blob = {
  containerName: 'data',
  path: 'in/*.csv',
  connectionString: 'AccountName=a;AccountKey=secret;EndpointSuffix=core.example.net',
};
const stream = { streamName: 'clicks', region: 'us-east-1' };
const table = { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' };
const postgres = {
  host: 'db.example.com',
  database: 'shop',
  credentials: user,
  tableMappings: [table],
};
const destination = {
  table: 't',
  columns: [
    { name: 'a', type: 'UInt8' },
    { name: 'b', type: 'String' },
  ],
};

type Patch = Record<string, unknown>;
const withSource = (kind: string, settings: object) => ({
  source: { [kind]: settings },
  ...(kind === 'postgres' ? {} : { destination }),
});
const paths = (body: unknown): string[] =>
  PipeCreateBody.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];

const good: [string, string, object, Patch][] = [
  ['kafka, least', 'kafka', kafka, {}],
  ...(['kafka', 'redpanda', 'confluent', 'msk'] as const).map(
    (type): [string, string, object, Patch] => [`kafka type ${type}`, 'kafka', kafka, { type }],
  ),
  ['kafka IPv6 broker', 'kafka', kafka, { brokers: '[::1]:9092' }],
  ['kafka plain', 'kafka', kafka, { credentials: user }],
  ['kafka SCRAM-SHA-256', 'kafka', kafka, { authentication: 'SCRAM-SHA-256', credentials: user }],
  ['kafka SCRAM-SHA-512', 'kafka', kafka, { authentication: 'SCRAM-SHA-512', credentials: user }],
  [
    'kafka mutual TLS',
    'kafka',
    kafka,
    {
      authentication: 'MUTUAL_TLS',
      credentials: { certificate, privateKey },
      caCertificate: certificate,
    },
  ],
  ['kafka IAM role', 'kafka', kafka, { authentication: 'IAM_ROLE', iamRole: role }],
  [
    'kafka IAM user',
    'kafka',
    kafka,
    { authentication: 'IAM_USER', credentials: { accessKeyId: 'k', secretKey: 's' } },
  ],
  ['kafka offset timestamp', 'kafka', kafka, { offset: { timestamp: '2026-02-28T23:59' } }],
  ['kafka offset latest', 'kafka', kafka, { offset: { strategy: 'from_latest' } }],
  [
    'kafka registry',
    'kafka',
    kafka,
    {
      format: 'AvroConfluent',
      schemaRegistry: {
        url: 'https://registry.example.com',
        authentication: 'PLAIN',
        credentials: user,
      },
    },
  ],
  [
    'kafka protobuf',
    'kafka',
    kafka,
    { format: 'Protobuf', schemaRegistry: { url: 'https://registry.example.com' } },
  ],
  ['objects, least', 'objectStorage', objects, {}],
  ['objects s3 scheme', 'objectStorage', objects, { url: 's3://bucket/a/{b,c}/?.parquet' }],
  ['objects blob', 'objectStorage', blob, { compression: 'zstd', delimiter: ';' }],
  [
    'objects queue',
    'objectStorage',
    objects,
    {
      isContinuous: true,
      queueUrl: 'https://queue.example.com/1/q',
      accessKey: { accessKeyId: 'a', secretKey: 'b' },
    },
  ],
  [
    'objects in a bucket that the host names',
    'objectStorage',
    objects,
    { url: 'https://b.s3.eu-west-1.amazonaws.com/a b.json' },
  ],
  [
    'objects s3 scheme with blanks',
    'objectStorage',
    objects,
    { url: 's3://bucket/my folder/*.json' },
  ],
  ...['\t', ' ', '|', '\u0001'].map((delimiter): [string, string, object, Patch] => [
    `objects delimiter ${JSON.stringify(delimiter)}`,
    'objectStorage',
    objects,
    { delimiter },
  ]),
  ['cloudstream, least', 'cloudstream', stream, {}],
  [
    'cloudstream from a time',
    'cloudstream',
    stream,
    { timestamp: 1_700_000_000, iteratorType: 'AT_TIMESTAMP', useEnhancedFanOut: true },
  ],
  ['postgres, least', 'postgres', postgres, {}],
  [
    'postgres settings',
    'postgres',
    postgres,
    {
      port: 5433,
      settings: {
        syncIntervalSeconds: 1,
        pullBatchSize: 1,
        snapshotNumRowsPerPartition: 1000,
        replicationMode: 'cdc_only',
        enableFailoverSlots: true,
      },
    },
  ],
  [
    'postgres sorting keys',
    'postgres',
    postgres,
    { tableMappings: [{ ...table, useCustomSortingKey: true, sortingKeys: ['id'] }] },
  ],
];

const bad: [string, string, object, Patch, string][] = [
  ['no port', 'kafka', kafka, { brokers: 'one' }, 'brokers'],
  ['port 0', 'kafka', kafka, { brokers: 'one:0' }, 'brokers'],
  ['port 65536', 'kafka', kafka, { brokers: 'one:65536' }, 'brokers'],
  ['empty broker in the list', 'kafka', kafka, { brokers: 'one:1,,two:2' }, 'brokers'],
  ['a topic twice', 'kafka', kafka, { topics: 'a,a' }, 'topics'],
  ['a topic with a space', 'kafka', kafka, { topics: 'a b' }, 'topics'],
  ['an empty group', 'kafka', kafka, { consumerGroup: '' }, 'consumerGroup'],
  ['an unknown format', 'kafka', kafka, { format: 'XML' }, 'format'],
  [
    'seconds in the offset',
    'kafka',
    kafka,
    { offset: { timestamp: '2026-02-28T23:59:00' } },
    'offset.timestamp',
  ],
  [
    'a day that is not',
    'kafka',
    kafka,
    { offset: { timestamp: '2026-02-30T00:00' } },
    'offset.timestamp',
  ],
  [
    'strategy without its timestamp',
    'kafka',
    kafka,
    { offset: { strategy: 'from_timestamp' } },
    'offset.timestamp',
  ],
  [
    'timestamp with another strategy',
    'kafka',
    kafka,
    { offset: { strategy: 'from_latest', timestamp: '2026-01-01T00:00' } },
    'offset.timestamp',
  ],
  [
    'SCRAM without credentials',
    'kafka',
    kafka,
    { authentication: 'SCRAM-SHA-256' },
    'credentials.username',
  ],
  [
    'mutual TLS without key',
    'kafka',
    kafka,
    { authentication: 'MUTUAL_TLS', credentials: { certificate } },
    'credentials.privateKey',
  ],
  [
    'mutual TLS with a password',
    'kafka',
    kafka,
    { authentication: 'MUTUAL_TLS', credentials: { certificate, privateKey, password: 'p' } },
    'credentials.password',
  ],
  ['IAM role without a role', 'kafka', kafka, { authentication: 'IAM_ROLE' }, 'iamRole'],
  ['a role that is none', 'kafka', kafka, { iamRole: 'admin' }, 'iamRole'],
  ['a CA that is no PEM', 'kafka', kafka, { caCertificate: 'x' }, 'caCertificate'],
  ['a private key as CA', 'kafka', kafka, { caCertificate: privateKey }, 'caCertificate'],
  ['Protobuf without registry', 'kafka', kafka, { format: 'Protobuf' }, 'schemaRegistry'],
  [
    'registry PLAIN without credentials',
    'kafka',
    kafka,
    { schemaRegistry: { url: 'https://r.example.com', authentication: 'PLAIN' } },
    'schemaRegistry.credentials',
  ],
  [
    'registry with a password in its address',
    'kafka',
    kafka,
    { schemaRegistry: { url: 'https://u:p@r.example.com' } },
    'schemaRegistry.url',
  ],
  ['no address', 'objectStorage', {}, {}, 'url'],
  ['url and container', 'objectStorage', objects, { containerName: 'abc' }, 'containerName'],
  ['container without path', 'objectStorage', { ...blob, path: undefined }, {}, 'path'],
  ['a file url', 'objectStorage', objects, { url: 'file:///etc/passwd' }, 'url'],
  ['open brace', 'objectStorage', objects, { url: 'https://b.example.com/{a' }, 'url'],
  ['two delimiters', 'objectStorage', objects, { delimiter: ',,' }, 'delimiter'],
  ...['€', '.', 'L', "'", '"', '\n', ''].map(
    (delimiter): [string, string, object, Patch, string] => [
      `objects delimiter ${JSON.stringify(delimiter)}`,
      'objectStorage',
      objects,
      { delimiter },
      'delimiter',
    ],
  ),
  ...[
    'https://b.example.com',
    'https://b.example.com/',
    'https://b.example.com/bucket/',
    'https://b.s3.amazonaws.com/',
    's3://bucket',
    's3://bucket/',
    's3://bucket/folder/',
    'https://b.example.com/bucket/folder/',
    'gs://bucket/a.json',
    'https://a.blob.core.windows.net/container/a.json',
  ].map((url): [string, string, object, Patch, string] => [
    `a url without a key, or of another kind, ${url}`,
    'objectStorage',
    objects,
    { url },
    'url',
  ]),
  ['a folder for a path', 'objectStorage', blob, { path: 'in/' }, 'path'],
  [
    'an access key with a connection string',
    'objectStorage',
    blob,
    { accessKey: { accessKeyId: 'a', secretKey: 'b' } },
    'accessKey',
  ],
  ['a role with a connection string', 'objectStorage', blob, { iamRole: role }, 'iamRole'],
  [
    'a queue with a connection string',
    'objectStorage',
    blob,
    { isContinuous: true, queueUrl: 'https://queue.example.com/1/q' },
    'queueUrl',
  ],
  ['a url for Azure', 'objectStorage', objects, { type: 'azureblobstorage' }, 'url'],
  ['a container for S3', 'objectStorage', blob, { type: 's3' }, 'type'],
  ['an unknown compression', 'objectStorage', objects, { compression: 'rar' }, 'compression'],
  [
    'a queue for a one-time load',
    'objectStorage',
    objects,
    { queueUrl: 'https://queue.example.com/1/q' },
    'queueUrl',
  ],
  [
    'role and key',
    'objectStorage',
    objects,
    { iamRole: role, accessKey: { accessKeyId: 'a', secretKey: 'b' } },
    'iamRole',
  ],
  [
    'half an access key',
    'objectStorage',
    objects,
    { accessKey: { accessKeyId: 'a' } },
    'accessKey.secretKey',
  ],
  ['no region', 'cloudstream', { streamName: 'a' }, {}, 'region'],
  ['milliseconds', 'cloudstream', stream, { timestamp: 1_700_000_000_000 }, 'timestamp'],
  [
    'AT_TIMESTAMP without one',
    'cloudstream',
    stream,
    { iteratorType: 'AT_TIMESTAMP' },
    'timestamp',
  ],
  [
    'timestamp with LATEST',
    'cloudstream',
    stream,
    { iteratorType: 'LATEST', timestamp: 1 },
    'timestamp',
  ],
  ['port 65536', 'postgres', postgres, { port: 65_536 }, 'port'],
  ['port 0', 'postgres', postgres, { port: 0 }, 'port'],
  ['no table', 'postgres', postgres, { tableMappings: [] }, 'tableMappings'],
  [
    'a target twice',
    'postgres',
    postgres,
    { tableMappings: [table, { ...table, sourceTable: 'other' }] },
    'tableMappings.1.targetTable',
  ],
  [
    'custom sorting without keys',
    'postgres',
    postgres,
    { tableMappings: [{ ...table, useCustomSortingKey: true }] },
    'tableMappings.0.sortingKeys',
  ],
  [
    'a sync interval of 0',
    'postgres',
    postgres,
    { settings: { syncIntervalSeconds: 0 } },
    'settings.syncIntervalSeconds',
  ],
  [
    '999 rows a partition',
    'postgres',
    postgres,
    { settings: { snapshotNumRowsPerPartition: 999 } },
    'settings.snapshotNumRowsPerPartition',
  ],
  [
    'failover with a slot name',
    'postgres',
    postgres,
    { settings: { enableFailoverSlots: true, replicationSlotName: 'a' } },
    'settings.enableFailoverSlots',
  ],
];

describe('fields of objects', () => {
  it.each([
    ['JSONEachRow', ['id', 'user.name', 'user'], { part: 'user.name', whole: 'user' }],
    [undefined, ['a.b', 'a.b.c'], { part: 'a.b.c', whole: 'a.b' }],
    ['Parquet', ['a.b', 'a.c', 'ab'], undefined],
    ['CSV', ['a', 'a.b'], undefined],
  ] as const)('of %s %j: one within another is %j', (format, fields, found) => {
    expect(fieldsWithin(format, fields)).toEqual(found);
  });
});

describe('a pipe body', () => {
  it.each(good)('%s is accepted', (_title, kind, base, patch) => {
    expect(paths(withSource(kind, { ...base, ...patch }))).toEqual([]);
  });

  it.each(bad)('%s (%s) is refused, naming the field', (_title, kind, base, patch, path) => {
    expect(paths(withSource(kind, { ...base, ...patch }))).toContain(`source.${kind}.${path}`);
  });

  it.each<[string, unknown, string]>([
    ['no source', { destination }, 'source'],
    ['an empty source', { source: {}, destination }, 'source'],
    ['two sources', { source: { kafka, objectStorage: objects }, destination }, 'source'],
    ['an empty name', { ...withSource('kafka', kafka), name: '' }, 'name'],
    ['a name of 256', { ...withSource('kafka', kafka), name: 'x'.repeat(256) }, 'name'],
    [
      'kafka without a table',
      { source: { kafka }, destination: { columns: destination.columns } },
      'destination.table',
    ],
    [
      'kafka without columns',
      { source: { kafka }, destination: { table: 't' } },
      'destination.columns',
    ],
    [
      'postgres with a table',
      { source: { postgres }, destination: { table: 't' } },
      'destination.table',
    ],
    [
      'a column twice',
      {
        source: { kafka },
        destination: {
          table: 't',
          columns: [
            { name: 'a', type: 'UInt8' },
            { name: 'a', type: 'UInt8' },
          ],
        },
      },
      'destination.columns.1.name',
    ],
    [
      'an unknown version column',
      {
        source: { kafka },
        destination: { ...destination, tableDefinition: { engine: { versionColumnId: 'z' } } },
      },
      'destination.tableDefinition.engine.versionColumnId',
    ],
    [
      'replacing and summing',
      {
        source: { kafka },
        destination: {
          ...destination,
          tableDefinition: { engine: { versionColumnId: 'a', columnIds: ['a'] } },
        },
      },
      'destination.tableDefinition.engine.columnIds',
    ],
    [
      'a definition for an existing table',
      {
        source: { kafka },
        destination: { ...destination, managedTable: false, tableDefinition: {} },
      },
      'destination.tableDefinition',
    ],
    [
      'an unmapped column',
      {
        ...withSource('kafka', kafka),
        fieldMappings: [{ sourceField: 'x', destinationField: 'a' }],
      },
      'fieldMappings',
    ],
    [
      'a column mapped twice',
      {
        ...withSource('kafka', kafka),
        fieldMappings: ['a', 'a', 'b'].map((name) => ({
          sourceField: 'x',
          destinationField: name,
        })),
      },
      'fieldMappings.1.destinationField',
    ],
    [
      'a mapping to no column',
      {
        ...withSource('kafka', kafka),
        fieldMappings: ['a', 'b', 'c'].map((name) => ({
          sourceField: 'x',
          destinationField: name,
        })),
      },
      'fieldMappings.2.destinationField',
    ],
    [
      'an empty part in a path',
      {
        ...withSource('kafka', kafka),
        fieldMappings: ['a', 'b'].map((name) => ({ sourceField: 'x..y', destinationField: name })),
      },
      'fieldMappings.0.sourceField',
    ],
  ])('%s is refused, naming the field', (_title, body, path) => {
    expect(paths(body)).toContain(path);
  });
});

describe('a pipe update body', () => {
  it.each<[unknown, string]>([
    [
      { source: { postgres: { settings: { syncIntervalSeconds: 0 } } } },
      'source.postgres.settings.syncIntervalSeconds',
    ],
    [
      { source: { postgres: { tableMappingsToAdd: [table], tableMappingsToRemove: [table] } } },
      'source.postgres.tableMappingsToAdd.0',
    ],
    [
      { source: { objectStorage: { connectionString: 'x' } } },
      'source.objectStorage.connectionString',
    ],
    [{ destination: { columns: [] } }, 'destination.columns'],
  ])('%j is refused, naming the field', (body, path) => {
    expect(
      PipeUpdateBody.safeParse(body).error?.issues.map((issue) => issue.path.join('.')),
    ).toContain(path);
  });
});

describe('pipe settings', () => {
  it.each(Object.entries(pipeSettingBounds))(
    '%s is taken at both bounds and refused beyond them',
    (name, { min, max }) => {
      const accepts = (value: unknown): boolean =>
        PipeSettingsInput.safeParse({ [name]: value }).success;
      expect([min, max, null].map(accepts)).toEqual([true, true, true]);
      expect([min - 1, max + 1, min + 0.5, String(min), Number.NaN].map(accepts)).toEqual([
        false,
        false,
        false,
        false,
        false,
      ]);
    },
  );

  it('are the defaults where nothing is sent, keep what is stored, and return to the default on null', () => {
    expect(defaultPipeSettings()).toEqual({
      streaming_max_insert_wait_ms: 5000,
      object_storage_concurrency: 1,
      object_storage_polling_interval_ms: 30000,
      object_storage_max_insert_bytes: 10737418240,
      object_storage_max_file_count: 100,
      engine_max_threads: 0,
      engine_max_insert_threads: 1,
      engine_min_insert_block_size_bytes: 1073741824,
      engine_max_download_threads: 4,
      engine_parallel_distributed_insert_select: 2,
      object_storage_use_cluster_function: true,
      engine_parallel_view_processing: false,
    });
    const stored = mergePipeSettings({ streaming_max_insert_wait_ms: 600, engine_max_threads: 3 });
    expect(mergePipeSettings({ streaming_max_insert_wait_ms: null }, stored)).toEqual({
      ...defaultPipeSettings(),
      engine_max_threads: 3,
    });
  });

  it.each<[object, boolean]>([
    [{ replicas: 1 }, true],
    [{ replicas: 40 }, true],
    [{ replicas: 0 }, false],
    [{ replicas: 41 }, false],
    [{ replicas: 1.5 }, false],
    [{ concurrency: 0 }, true],
    [{ concurrency: 36 }, false],
    [{ replicaCpuMillicores: 124 }, false],
    [{ replicaCpuMillicores: 2000 }, true],
    [{ replicaMemoryGb: 0.5 }, true],
    [{ replicaMemoryGb: 0.75 }, true],
    [{ replicaMemoryGb: 8.1 }, false],
  ])('scaling %j: accepted is %s', (scaling, accepted) => {
    expect(PipeScalingInput.safeParse(scaling).success).toBe(accepted);
  });
});

describe('a connection string', () => {
  it('leaves with its key and signatures masked, whatever the letter case', () => {
    const masked = maskConnectionString(
      'AccountName=shop;accountkey=c2VjcmV0==;SharedAccessSignature=sig%3D1;BlobEndpoint=https://x.example.com/?sig=abc;EndpointSuffix=core.example.net',
    );
    expect(masked).toBe(
      'AccountName=shop;accountkey=***;SharedAccessSignature=***;BlobEndpoint=***;EndpointSuffix=core.example.net',
    );
  });
});
