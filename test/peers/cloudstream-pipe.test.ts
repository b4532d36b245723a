import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { pipeWorld, until, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [{ name: 'id', type: 'UInt64' }, { name: 'text', type: 'String' }];
const fast = { streaming_max_insert_wait_ms: 500 };

describe('a cloudstream pipe', () => {
  let peer: KinesisPeer;
  let world: PipeWorld;
  beforeAll(async () => {
    peer = await startKinesis();
    world = await pipeWorld({ connectors: createConnectors({ endpoint: peer.endpoint }) });
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  const body = (streamName: string, source: object = {}, rest: object = {}) => ({
    source: { cloudstream: { streamName, region: testRegion, accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a very secret key' }, ...source } },
    destination: { database: 'shop', table: streamName, columns, tableDefinition: { sortingKey: ['id'] } },
    settings: fast, ...rest,
  });
  const count = async (table: string): Promise<number> => Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);

  it('stores what was put, with every digit and escape, from every shard', async () => {
    await peer.createStream('plain', 3);
    const pipe = await world.create(body('plain'));
    await peer.put('plain', Array.from({ length: 1000 }, (_, index) => ({ key: `key ${index % 50}`, data: `{"id":${18446744073709550000n + BigInt(index)},"text":"line\\n${index} ü"}` })));
    await until('all rows', async () => await count('plain') === 1000);
    expect((await world.rows(sql`SELECT toString(min(id)), toString(max(id)), countIf(text LIKE 'line\n% ü') FROM shop.plain`))[0]).toEqual(['18446744073709550000', '18446744073709550999', '1000']);
    expect((await world.get(pipe.id)).state).toBe('Running');
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 1000, errors: 0, lag: 0 });
    expect(world.logged.join('\n')).not.toContain('a very secret key');
  });
});
