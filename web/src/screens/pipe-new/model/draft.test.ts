import { describe, expect, it } from 'vitest';
import type { PipeKind } from '../../../pipes/kinds.ts';
import { connectionIssues, createIssues } from '../pipe-new.form.ts';
import { proposedRows } from './columns.ts';
import {
  bodyOf,
  connectionOf,
  fieldNames,
  firstStep,
  formPath,
  newDraft,
  type PipeDraft,
} from './draft.ts';
import type { Texts } from './fields.ts';
import { kinds } from './kinds/kinds.ts';
import { allowedStep, lastStep } from './steps.ts';
import { storedDraft } from './stored-draft.ts';
import { withTable } from './tables.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const privateKey = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----';
const columns = proposedRows({
  source: {},
  destination: { table: 'orders', columns: [{ name: 'id', type: 'Int64' }] },
  fieldMappings: [],
});

const made = (kind: PipeKind, texts: Texts, part: Partial<PipeDraft> = {}): PipeDraft => ({
  ...newDraft(kind),
  texts: { ...newDraft(kind).texts, ...texts },
  ...part,
});
const login = { username: 'reader', password: 'a-secret-word' };
const keys = { accessKeyId: 'AKIA', secretKey: 'a-secret-word' };
const records = { item: 'orders', columns };
const tables = withTable([], { id: 'public.orders', primaryKey: ['id'] });

/** A whole pipe of each kind and way to log in. */
const pipes: [string, PipeKind, PipeDraft, Texts, object][] = [
  [
    'objects with a key',
    'objectStorage',
    made(
      'objectStorage',
      { url: 's3://bucket/a/*.csv', table: 'orders', format: 'CSV', delimiter: ';' },
      records,
    ),
    keys,
    {
      objectStorage: {
        url: 's3://bucket/a/*.csv',
        format: 'CSV',
        delimiter: ';',
        authentication: 'IAM_USER',
        accessKey: keys,
      },
    },
  ],
  [
    'blobs',
    'objectStorage',
    made(
      'objectStorage',
      {
        type: 'azureblobstorage',
        containerName: 'data',
        path: 'a/*.json',
        table: 'orders',
        isContinuous: 'true',
      },
      records,
    ),
    { connectionString: 'AccountName=a;AccountKey=b', ...keys },
    {
      objectStorage: {
        type: 'azureblobstorage',
        containerName: 'data',
        path: 'a/*.json',
        connectionString: 'AccountName=a;AccountKey=b',
        isContinuous: true,
      },
    },
  ],
  [
    'topics with a password',
    'kafka',
    made(
      'kafka',
      {
        brokers: 'one:9092',
        authentication: 'SCRAM-SHA-256',
        offset: 'from_timestamp',
        timestamp: '2026-03-14T09:30',
        table: 'orders',
      },
      { ...records, item: 'orders, returns' },
    ),
    login,
    {
      kafka: {
        brokers: 'one:9092',
        topics: 'orders, returns',
        authentication: 'SCRAM-SHA-256',
        credentials: login,
        offset: { strategy: 'from_timestamp', timestamp: '2026-03-14T09:30' },
      },
    },
  ],
  [
    'topics with a certificate and a registry',
    'kafka',
    made(
      'kafka',
      {
        brokers: 'one:9092',
        authentication: 'MUTUAL_TLS',
        format: 'AvroConfluent',
        registryUrl: 'https://registry.example.com',
        table: 'orders',
      },
      records,
    ),
    { certificate, privateKey },
    {
      kafka: {
        brokers: 'one:9092',
        topics: 'orders',
        authentication: 'MUTUAL_TLS',
        format: 'AvroConfluent',
        credentials: { certificate: `${certificate}\n`, privateKey: `${privateKey}\n` },
        schemaRegistry: { url: 'https://registry.example.com' },
      },
    },
  ],
  [
    'a stream',
    'cloudstream',
    made(
      'cloudstream',
      { region: 'eu-central-1', iteratorType: 'AT_TIMESTAMP', timestamp: '17', table: 'orders' },
      records,
    ),
    keys,
    {
      cloudstream: {
        region: 'eu-central-1',
        streamName: 'orders',
        authentication: 'IAM_USER',
        accessKey: keys,
        iteratorType: 'AT_TIMESTAMP',
        timestamp: 17,
      },
    },
  ],
  [
    'tables',
    'postgres',
    made(
      'postgres',
      { host: 'db', port: '5433', sourceDatabase: 'shop', syncIntervalSeconds: '5' },
      { tables },
    ),
    login,
    {
      postgres: {
        host: 'db',
        port: 5433,
        database: 'shop',
        credentials: login,
        settings: { syncIntervalSeconds: 5 },
        tableMappings: [expect.objectContaining({ targetTable: 'orders' })],
      },
    },
  ],
];

describe('the body of a new pipe', () => {
  it.each(pipes)('is one that the API takes: %s', (_title, kind, draft, secrets, source) => {
    expect(bodyOf(kind, draft, secrets).source).toEqual(source);
    expect(createIssues(kind, draft, secrets)).toEqual([]);
    expect(connectionIssues(kind, draft, secrets)).toEqual([]);
  });

  it('has what was set, numbers as numbers, and nothing else', () => {
    const draft = made(
      'objectStorage',
      {
        url: 's3://bucket/*.json',
        name: ' Orders ',
        database: 'shop',
        table: 'orders',
        engine: 'ReplacingMergeTree',
        versionColumn: 'id',
        replicas: '2',
        object_storage_max_file_count: '7',
        engine_parallel_view_processing: 'true',
        streaming_max_insert_wait_ms: '9',
      },
      records,
    );
    const { source: _, ...body } = bodyOf('objectStorage', draft, keys);
    expect(body).toEqual({
      name: 'Orders',
      destination: {
        database: 'shop',
        table: 'orders',
        columns: [{ name: 'id', type: 'Int64' }],
        tableDefinition: {
          engine: { type: 'ReplacingMergeTree', versionColumnId: 'id' },
          sortingKey: [],
        },
      },
      scaling: { replicas: 2 },
      settings: { object_storage_max_file_count: 7, engine_parallel_view_processing: true },
    });
    const existing = made('objectStorage', { ...draft.texts, isExisting: 'true' }, records);
    expect(bodyOf('objectStorage', existing, keys).destination).toEqual({
      database: 'shop',
      table: 'orders',
      columns: [{ name: 'id', type: 'Int64' }],
      managedTable: false,
    });
  });

  it('has a field of its own for each part', () => {
    for (const kind of Object.keys(kinds) as PipeKind[]) {
      const names = fieldNames(kind);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
      expect(names).not.toContain('columns');
    }
  });

  it('checks a connection without topics, tables and settings', () => {
    expect(connectionOf('kafka', { brokers: 'one:9092', offset: 'from_latest' })).toEqual({
      kafka: { brokers: 'one:9092' },
    });
  });
});

describe('mistakes in a new pipe', () => {
  it.each([
    ['kafka', {}, 'brokers', 'is required'],
    ['kafka', { brokers: 'a:1', authentication: 'PLAIN' }, 'username', /is required/],
    ['postgres', { host: 'db', sourceDatabase: 'a', port: 'x' }, 'port', 'must be a number'],
    ['objectStorage', { url: 's3://bucket' }, 'url', /names no object/],
    ['cloudstream', { region: 'eu-1' }, 'accessKeyId', /is required/],
  ] as const)('are at the fields of a connection: %s %j', (kind, texts, path, message) => {
    const found = connectionIssues(kind, made(kind, texts), {});
    expect(found.find((issue) => issue.path === path)?.message).toMatch(message);
  });

  it('are at the rows and fields of later steps, and lead to the first of them', () => {
    const [row] = columns;
    const draft = made(
      'kafka',
      { brokers: 'a:1', replicas: '99' },
      {
        item: 'bad name',
        columns: [
          { ...row!, isIncluded: false },
          { ...row!, id: '2', type: '' },
        ],
      },
    );
    const found = createIssues('kafka', draft, {});
    expect(found.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['item', 'columns.1.type', 'table', 'replicas']),
    );
    expect(firstStep('kafka', found)).toBe('data');
    expect(firstStep('kafka', [{ path: 'replicas' }, { path: 'columns.1.type' }])).toBe('columns');
    expect(firstStep('kafka', [{ path: 'replicas' }])).toBe('settings');
    expect(firstStep('kafka', [{ path: 'source.postgres' }])).toBeUndefined();
  });

  it.each([
    ['source.postgres.credentials', 'username'],
    ['source.postgres.settings.publicationName', 'publicationName'],
    ['source.postgres.tableMappings.0.sortingKeys', 'tables.0.sortingKeys'],
    ['source.kafka.brokers', 'source.kafka.brokers'],
    ['destination.database', 'database'],
    ['settings.engine_max_threads', 'engine_max_threads'],
    ['name', 'name'],
  ])('of the API at %s are at %s', (path, field) => {
    const draft = made('postgres', {}, { tables });
    expect(formPath('postgres', draft, draft.texts, path)).toBe(field);
  });
});

describe('steps of a new pipe', () => {
  it('stay locked until the connection works and something is chosen', () => {
    const draft = made('kafka', {}, { item: 'orders' });
    expect(lastStep('kafka', draft, false)).toBe('connection');
    expect(lastStep('kafka', made('kafka', {}), true)).toBe('data');
    expect(lastStep('kafka', draft, true)).toBe('create');
    expect(lastStep('postgres', draft, true)).toBe('data');
    expect(allowedStep('settings', 'connection')).toBe('connection');
    expect(allowedStep('data', 'create')).toBe('data');
  });
});

describe('the draft that the browser keeps', () => {
  it('comes back as it was', () => {
    const draft = made('postgres', { host: 'db' }, { tables, columns, entered: ['password'] });
    expect(storedDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });

  it.each([
    undefined,
    {},
    [],
    { ...newDraft('kafka'), texts: { brokers: 1 } },
    { ...newDraft('kafka'), columns: [{}] },
    { ...newDraft('kafka'), tables: [{ id: 'a' }] },
  ])('counts only with its whole shape: %j', (value) => {
    expect(storedDraft(value)).toBeUndefined();
  });

  it('has no field for a credential: each is marked as one', () => {
    const secret = /password|secret|private|connectionString|username|accessKeyId|^certificate/i;
    for (const { fields } of Object.values(kinds)) {
      for (const { name, look, isCredential = false } of fields) {
        expect([name, isCredential]).toEqual([name, secret.test(name)]);
        expect(look.startsWith('secret') && !isCredential, name).toBe(false);
      }
    }
  });
});
