import type { SourceKindName } from '../../contract/pipe/sources.ts';
import { SourceFailed, type Connector, type ConnectorFactory, type Connectors } from '../../ports/connector.ts';
import { cloudstreamConnector } from './cloudstream/cloudstream-connector.ts';
import type { CloudstreamEndpoints } from './cloudstream/stream-calls.ts';
import { kafkaConnector } from './kafka/kafka-connector.ts';
import { postgresConnector } from './postgres/postgres-connector.ts';

/** One line for each source kind. `endpoints`: where the stream services are, instead of their region's own. */
export function createConnectors(endpoints: CloudstreamEndpoints = {}): Connectors {
  return {
    kafka: kafkaConnector,
    objectStorage: notYet('objectStorage'),
    cloudstream: cloudstreamConnector(endpoints),
    postgres: postgresConnector,
  };
}

/** A kind that can be defined but not run yet: such a pipe fails, and says why. */
function notYet<K extends SourceKindName>(kind: K): ConnectorFactory<K> {
  return (): Connector => {
    const refuse = (): never => { throw new SourceFailed(`this release has no connector for ${kind} yet; the pipe is kept`); };
    return {
      read: () => refuse(),
      commit: async () => refuse(),
      check: async () => refuse(),
      close: () => Promise.resolve(),
    };
  };
}
