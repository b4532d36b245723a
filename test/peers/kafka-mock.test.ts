import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { kafkaConnector } from '../../src/adapters/connectors/kafka/kafka-connector.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { defaultPipeSettings } from '../../src/contract/pipe/settings.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { connectorSuite } from '../conformance/connector-suite.ts';
import { kafkaMockMissing, startKafkaMock, type KafkaMock } from '../kit/kafka-mock.ts';

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};

/**
 * What can be shown without Java: no refusal, no absent topic (it makes any that is asked for), no
 * restart, nothing large.
 */
describe.skipIf(kafkaMockMissing())('on a mock cluster', () => {
  let peer: KafkaMock;
  let topics = 0;
  connectorSuite('Kafka', {
    start: async () => {
      peer = await startKafkaMock();
    },
    stop: async () => peer?.remove(),
    pushesWhole: true,
    admitsAll: true,
    inventsStreams: true,
    async stream() {
      const topic = `stream-${++topics}`;
      const pipeId = randomUUID();
      await peer.createTopic(topic, 3);
      return {
        secrets: [],
        async produce(values) {
          for (let start = 0; start < values.length; start += 200) {
            await peer.producer.send({
              topic,
              messages: values
                .slice(start, start + 200)
                .map((value, index) => ({ value, partition: (start + index) % 3 })),
            });
          }
        },
        connector: ({ log = quiet, bufferBytes = 64 * 2 ** 20, purpose = 'run' } = {}) =>
          kafkaConnector({
            pipeId,
            source: { brokers: peer.broker, topics: topic },
            purpose,
            replica: { index: 0, count: 1 },
            bufferBytes,
            settings: defaultPipeSettings(),
            log,
            egress: egressGuard({ allow: ['127.0.0.1'] }),
            allowHttp: true,
          }),
        committed: async () =>
          new Map(
            (
              await peer.admin.fetchOffsets({ groupId: `pipes-${pipeId}`, topics: [topic] })
            ).flatMap((one) =>
              one.partitions.map(
                ({ partition, offset }) => [`${one.topic}/${partition}`, offset] as const,
              ),
            ),
          ),
      };
    },
  });
});
