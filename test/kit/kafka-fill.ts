import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';

const load = createRequire(import.meta.url);
type Encode = (options: object) => Promise<{ buffer: Buffer }>;

/**
 * Fills a topic fast: one request is encoded once and sent again and again, so that it costs next
 * to nothing here; the broker numbers the records itself. Each partition gets `values` `times`
 * times.
 */
export async function fillTopic(
  broker: string,
  topic: string,
  partitions: number,
  values: readonly string[],
  times: number,
): Promise<void> {
  const produce = load('kafkajs/src/protocol/requests/produce/v3/request') as (
    options: object,
  ) => object;
  const frame = load('kafkajs/src/protocol/request') as Encode;
  const messages = values.map((value) => ({
    key: null,
    value: Buffer.from(value),
    timestamp: Date.now(),
    headers: {},
  }));
  const topicData = [
    {
      topic,
      partitions: Array.from({ length: partitions }, (_, partition) => ({
        partition,
        firstSequence: 0,
        messages,
      })),
    },
  ];
  const { buffer } = await frame({
    correlationId: 1,
    clientId: 'fill',
    request: produce({ acks: 1, timeout: 30_000, compression: 0, topicData }),
  });
  const [host, port] = broker.split(':') as [string, string];
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  try {
    for (let sent = 0; sent < times; sent++) {
      socket.write(buffer);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      // Size, correlation, one topic with its name, the partitions; then of the first: its number,
      // and what went wrong.
      const error = answer.readInt16BE(4 + 4 + 4 + 2 + Buffer.byteLength(topic) + 4 + 4);
      if (error !== 0) {
        throw new Error(`the broker refused to be filled: error ${error}`);
      }
    }
  } finally {
    socket.destroy();
  }
}
