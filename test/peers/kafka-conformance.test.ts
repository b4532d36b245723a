import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { kafkaConnector } from '../../src/adapters/connectors/kafka/kafka-connector.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { KafkaSourceInput } from '../../src/contract/pipe/kafka.ts';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { connectorSuite } from '../conformance/connector-suite.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};

describe.skipIf(kafkaMissing())('on a real broker', () => {
  let peer: KafkaPeer;
  let topics = 0;
  connectorSuite('Kafka', {
    start: async () => {
      peer = await startKafka();
    },
    stop: async () => peer?.remove(),
    cut: () => peer.stop('SIGKILL'),
    mend: () => peer.start(),
    async stream() {
      const topic = `stream-${++topics}`;
      const pipeId = randomUUID();
      const group = `pipes-${pipeId}`;
      await peer.createTopic(topic, 3);
      const password = `wrong-${randomUUID()}`;
      const make = (
        source: Partial<KafkaSourceInput>,
        { log = quiet, bufferBytes = 64 * 2 ** 20, purpose = 'run' as 'run' | 'sample' } = {},
      ) =>
        kafkaConnector({
          pipeId,
          source: { brokers: peer.plain, topics: topic, consumerGroup: group, ...source },
          purpose,
          replica: { index: 0, count: 1 },
          bufferBytes,
          settings: defaultPipeSettings(),
          log,
          egress: egressGuard({ allow: ['127.0.0.1'] }),
          allowHttp: true,
        });
      return {
        secrets: [password, Buffer.from(`\0reader\0${password}`).toString('base64')],
        async produce(values) {
          const step = (values[0]?.length ?? 0) > 10_000 ? 6 : 200;
          for (let start = 0; start < values.length; start += step) {
            await peer.producer.send({
              topic,
              messages: values
                .slice(start, start + step)
                .map((value, index) => ({ value, partition: (start + index) % 3 })),
            });
          }
        },
        connector: (options) => make({}, options),
        refused: (log) =>
          make(
            {
              brokers: peer.scram,
              caCertificate: peer.ca,
              authentication: 'SCRAM-SHA-512',
              credentials: { username: 'reader', password },
            },
            { log },
          ),
        absent: () => make({ topics: 'not-there' }),
        committed: async () =>
          new Map(
            (await peer.admin.fetchOffsets({ groupId: group, topics: [topic] })).flatMap((one) =>
              one.partitions.map(
                ({ partition, offset }) => [`${one.topic}/${partition}`, offset] as const,
              ),
            ),
          ),
      };
    },
  });
});
