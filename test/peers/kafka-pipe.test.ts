import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompressionTypes } from 'kafkajs';
import { qualified, sql } from '../../src/sql/sql.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { pipeWorld, until, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [{ name: 'id', type: 'UInt64' }, { name: 'text', type: 'String' }, { name: 'at', type: 'DateTime64(3, \'UTC\')' }];
const fast = { streaming_max_insert_wait_ms: 500 };

describe.skipIf(kafkaMissing())('a Kafka pipe on a real broker', () => {
  let peer: KafkaPeer;
  let world: PipeWorld;
  beforeAll(async () => {
    [peer, world] = await Promise.all([startKafka(), pipeWorld()]);
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  const body = (topic: string, source: object = {}, rest: object = {}) => ({
    source: { kafka: { brokers: peer.plain, topics: topic, ...source } },
    destination: { database: 'shop', table: topic, columns, tableDefinition: { sortingKey: ['id'] } },
    settings: fast, ...rest,
  });
  const count = async (table: string): Promise<number> => Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);

  it('stores what was produced, with every digit, dates and escapes', async () => {
    await peer.createTopic('plain', 3);
    const pipe = await world.create(body('plain'));
    await peer.producer.send({ topic: 'plain', messages: Array.from({ length: 1000 }, (_, index) => ({ value: `{"id":${18446744073709550000n + BigInt(index)},"text":"line\\n${index} ü","at":"2026-03-14T09:26:53.589Z","more":1}` })) });
    await until('all rows', async () => await count('plain') === 1000);
    expect((await world.rows(sql`SELECT toString(min(id)), toString(max(id)), any(at), countIf(text LIKE 'line\n% ü') FROM shop.plain`))[0]).toEqual(['18446744073709550000', '18446744073709550999', '2026-03-14 09:26:53.589', '1000']);
    expect((await world.get(pipe.id)).state).toBe('Running');
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 1000, errors: 0, lag: 0 });
  });

  it.each(['GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const)('reads %s', async (codec) => {
    const topic = `codec_${codec.toLowerCase()}`;
    await peer.createTopic(topic);
    await world.create(body(topic));
    await peer.producer.send({ topic, compression: CompressionTypes[codec], messages: Array.from({ length: 500 }, (_, id) => ({ value: JSON.stringify({ id, text: 'x'.repeat(200), at: 1_700_000_000 }) })) });
    await until('all rows', async () => await count(topic) === 500);
  });
});
