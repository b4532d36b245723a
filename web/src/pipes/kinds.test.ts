import { describe, expect, it } from 'vitest';
import { sourceContracts } from '../../../src/contract/pipe/sources.ts';
import type { Pipe } from '../api/queries/pipes.ts';
import { kindOf, pipeKinds, sourceText, targetText } from './kinds.ts';

const table = (targetTable: string) => ({
  sourceSchemaName: 'public',
  sourceTable: targetTable,
  targetTable,
});
const sources: [Pipe['source'], kind: string, text: string][] = [
  [{ kafka: { brokers: 'one:9092', topics: 'orders' } }, 'kafka', 'orders at one:9092'],
  [{ objectStorage: { url: 'https://x/*.json' } }, 'objectStorage', 'https://x/*.json'],
  [{ objectStorage: { containerName: 'c', path: 'a/*' } }, 'objectStorage', 'c/a/*'],
  [{ cloudstream: { streamName: 's', region: 'eu' } }, 'cloudstream', 's in eu'],
  [
    { postgres: { host: 'db', port: 5432, database: 'shop', tableMappings: [table('orders')] } },
    'postgres',
    'shop at db:5432',
  ],
];

describe('kinds of pipes', () => {
  it('are all those of the contract', () => {
    expect(pipeKinds.toSorted()).toEqual(Object.keys(sourceContracts).toSorted());
  });

  it.each(sources)('say what %o reads', (source, kind, text) => {
    expect(kindOf({ source })).toBe(kind);
    expect(sourceText({ source })).toBe(text);
  });

  it('say which table is filled, and how many if there are several', () => {
    const postgres = { host: 'db', port: 5432, database: 'shop' };
    const of = (...names: string[]) => ({
      source: { postgres: { ...postgres, tableMappings: names.map(table) } },
      destination: { database: 'default' },
    });
    expect(targetText(of('orders'))).toBe('default.orders');
    expect(targetText(of('orders', 'items'))).toBe('2 tables in default');
    const kafka = { source: { kafka: { brokers: 'b:1', topics: 't' } } };
    expect(targetText({ ...kafka, destination: { database: 'd', table: 't' } })).toBe('d.t');
  });
});
