import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

/** Between one look of the supervisor and the next there is an hour here. */
describe('what is asked of a pipe', () => {
  let world: PipeWorld;
  const log = new MemoryLog(1);
  beforeAll(async () => {
    world = await pipeWorld({
      connectors: { ...createConnectors(), kafka: (context) => log.connector(context) },
      tickMs: 3_600_000,
    });
    world.pipes.start();
    await world.pipes.tick();
  });
  afterAll(() => world?.close());

  it('is looked at when it is asked, not at the next tick', async () => {
    log.append(Array.from({ length: 10 }, (_, n) => JSON.stringify({ n })));
    const { id } = await world.create({
      source: { kafka: { brokers: '127.0.0.1:9', topics: 'prompt' } },
      destination: { database: 'shop', table: 'prompt', columns: [{ name: 'n', type: 'UInt32' }] },
      settings: { streaming_max_insert_wait_ms: 500 },
    });
    await until('rows', async () => (await world.metrics(id)).rows === 10, 20_000);
    await world.call('changePipeState', { params: { pipeId: id }, body: { command: 'stop' } });
    await until(
      'the end of reading',
      () => Promise.resolve(world.pipes.figures().every(({ readers }) => readers === 0)),
      20_000,
    );
    expect((await world.get(id)).state).toMatch(/^Stop/);
  });
});
