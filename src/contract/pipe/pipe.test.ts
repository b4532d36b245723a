import { describe, expect, it } from 'vitest';
import { updatePipe } from './pipe.ts';
import {
  destination,
  kafka,
  objects,
  postgres,
  refusedPaths,
  table,
  withSource,
} from '../../../test/kit/pipe-bodies.ts';

describe('a pipe body', () => {
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
    expect(refusedPaths(body)).toContain(path);
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
      updatePipe.body.safeParse(body).error?.issues.map((issue) => issue.path.join('.')),
    ).toContain(path);
  });
});
