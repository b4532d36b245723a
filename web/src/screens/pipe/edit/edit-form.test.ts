import { describe, expect, it } from 'vitest';
import type { Pipe } from '../../../api/queries/pipes.ts';
import { effectivePipeSettings } from '../../../../../src/contract/pipe/settings.ts';
import { columnForm, withColumn } from '../mapping/column-form.ts';
import { tableForm, withTable } from '../mapping/table-form.ts';
import { nameForm, scalingForm, settingsForm } from '../settings/setting-fields.ts';
import { sourceForm } from '../settings/source-fields.ts';
import { draftOf, fieldAt, type EditForm } from './edit-form.ts';
import { changeIssues } from './pipe.form.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const privateKey = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';
const table = { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' };

const pipe = (source: Pipe['source'], part: Partial<Pipe> = {}): Pipe => ({
  id: '9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e',
  serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
  name: 'Orders',
  state: 'Running',
  scaling: { replicas: 1, concurrency: 0, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  source,
  destination: { database: 'default', table: 'orders', columns: [{ name: 'id', type: 'UInt64' }] },
  fieldMappings: [],
  settings: {},
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
  ...part,
});

type Kafka = NonNullable<Pipe['source']['kafka']>;
const kafka = (authentication?: Kafka['authentication']): Pipe =>
  pipe({
    kafka: { brokers: 'one:9092', topics: 'orders', ...(authentication && { authentication }) },
  });
const objects = pipe({ objectStorage: { url: 'https://bucket.example.com/*.json' } });
const blobs = pipe({ objectStorage: { containerName: 'data', path: 'a/*.json' } });
const stream = pipe({ cloudstream: { streamName: 'orders', region: 'eu-central-1' } });
const database = pipe({
  postgres: { host: 'db', port: 5432, database: 'shop', tableMappings: [table] },
});

/** A valid value for each field of every form. */
const values: Record<string, string> = {
  username: 'reader',
  password: 'a new one',
  accessKeyId: 'AKIA',
  secretKey: 'a new one',
  certificate,
  privateKey,
  caCertificate: certificate,
  iamRole: 'arn:aws:iam::123456789012:role/reader',
  connectionString: 'AccountName=a;AccountKey=b',
  containerName: 'other-data',
  path: 'b/*.json',
  host: 'db-2.example.com',
  port: '5433',
  database: 'shop-2',
  syncIntervalSeconds: '5',
  pullBatchSize: '1000',
  name: 'Orders 2',
  replicas: '2',
  concurrency: '3',
  replicaCpuMillicores: '250',
  replicaMemoryGb: '1.5',
};

const sources: [title: string, pipe: Pipe][] = [
  ['Kafka', kafka()],
  ['Kafka with a certificate', kafka('MUTUAL_TLS')],
  ['Kafka with an access key', kafka('IAM_USER')],
  ['Kafka with a role', kafka('IAM_ROLE')],
  ['object storage', objects],
  ['a container', blobs],
  ['cloudstream', stream],
  ['PostgreSQL', database],
];

const issuesOf = ({ target, bodyOf }: EditForm, draft: Record<string, string>, of: Pipe) =>
  changeIssues(target, bodyOf(draft, of));

describe('forms of a pipe', () => {
  it.each(sources)('change every field of %s that the API takes', (_title, of) => {
    for (const form of [sourceForm(of), nameForm(of), scalingForm(of)]) {
      const draft = Object.fromEntries(form.fields.map(({ name }) => [name, values[name] ?? '']));
      expect(Object.values(draft)).not.toContain('');
      expect(issuesOf(form, draft, of)).toEqual([]);
      const sent = JSON.stringify(form.bodyOf(draft, of));
      for (const [name, text] of Object.entries(draft)) {
        const { look } = form.fields.find((field) => field.name === name) ?? {};
        expect(sent).toContain(JSON.stringify(look === 'number' ? Number(text) : text));
      }
    }
  });

  it.each(sources)('send nothing of %s that was not changed', (_title, of) => {
    for (const form of [sourceForm(of), nameForm(of), scalingForm(of)]) {
      expect(form.bodyOf(draftOf(form.fields, of), of)).toEqual({});
    }
  });

  it('put the change at its path, numbers as numbers', () => {
    const form = sourceForm(database);
    const draft = { ...draftOf(form.fields, database), port: '5433', pullBatchSize: '10' };
    expect(form.bodyOf(draft, database)).toEqual({
      source: { postgres: { port: 5433, settings: { pullBatchSize: 10 } } },
    });
  });

  it('begin without any credential', () => {
    for (const [, of] of sources) {
      const form = sourceForm(of);
      const draft = draftOf(form.fields, of);
      const secrets = form.fields.filter(({ look }) => look.startsWith('secret'));
      expect(secrets.map(({ name }) => draft[name])).toEqual(secrets.map(() => ''));
      expect(draft['username'] ?? '').toBe('');
    }
  });

  it('say at its field what is wrong', () => {
    const form = sourceForm(database);
    const from = draftOf(form.fields, database);
    const found = issuesOf(form, { ...from, port: 'x', password: 'alone' }, database);
    const at = found.map(({ path, message }) => [fieldAt(form.fields, path), message]);
    expect(at).toContainEqual(['username', 'is required']);
    expect(at).toContainEqual(['port', 'must be a number']);
  });

  it('restore the default of a setting that is emptied', () => {
    const of = { ...objects, settings: { object_storage_max_file_count: 7 } };
    const form = settingsForm(of, effectivePipeSettings(of.settings));
    const from = draftOf(form.fields, of);
    expect(from['object_storage_max_file_count']).toBe('7');
    const body = form.bodyOf(
      { ...from, object_storage_max_file_count: '', engine_parallel_view_processing: 'true' },
      of,
    );
    expect(body).toEqual({
      settings: { object_storage_max_file_count: null, engine_parallel_view_processing: true },
    });
    expect(changeIssues('pipe', body)).toEqual([]);
    expect(Object.keys(from).some((name) => name.startsWith('streaming_'))).toBe(false);
  });
});

describe('a new column', () => {
  const column = { name: 'note', type: 'String', field: '' };

  it('takes the field of its name without a mapping', () => {
    expect(withColumn(column, objects)).toEqual({
      destination: {
        columns: [
          { name: 'id', type: 'UInt64' },
          { name: 'note', type: 'String' },
        ],
      },
    });
  });

  it('maps every column once one has another field', () => {
    const body = withColumn({ ...column, field: 'text.note' }, objects);
    expect(body.fieldMappings).toEqual([
      { sourceField: 'id', destinationField: 'id' },
      { sourceField: 'text.note', destinationField: 'note' },
    ]);
    expect(changeIssues('pipe', body)).toEqual([]);
  });

  it('has its mistakes at its fields', () => {
    const form = columnForm(objects);
    const found = issuesOf(form, { name: '', type: '', field: '' }, objects);
    const names = new Set(found.map(({ path }) => fieldAt(form.fields, path)));
    expect([...names]).toEqual(['name', 'type']);
  });
});

describe('a new table', () => {
  it('has the name of its source, and lists', () => {
    const draft = { ...draftOf(tableForm.fields, database), sourceTable: 'items' };
    const body = withTable({ ...draft, excludedColumns: 'a, b', sortingKeys: 'id' });
    expect(body.source?.postgres?.tableMappingsToAdd).toEqual([
      {
        sourceSchemaName: 'public',
        sourceTable: 'items',
        targetTable: 'items',
        tableEngine: 'ReplacingMergeTree',
        excludedColumns: ['a', 'b'],
        useCustomSortingKey: true,
        sortingKeys: ['id'],
      },
    ]);
    expect(changeIssues('pipe', body)).toEqual([]);
  });

  it('has its mistakes at its fields', () => {
    const found = issuesOf(tableForm, draftOf(tableForm.fields, database), database);
    const names = found.map(({ path }) => fieldAt(tableForm.fields, path));
    expect(names).toContain('sourceTable');
  });
});
