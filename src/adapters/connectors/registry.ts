import type { Connectors } from '../../ports/connector.ts';
import { cloudstreamConnector } from './cloudstream/cloudstream-connector.ts';
import type { CloudstreamEndpoints } from './cloudstream/stream-calls.ts';
import { kafkaConnector } from './kafka/kafka-connector.ts';
import { objectStorageConnector } from './object-storage/object-storage-connector.ts';
import { postgresConnector } from './postgres/postgres-connector.ts';

/** One line for each source kind. `endpoints`: where services are, instead of their region's own. */
export function createConnectors(endpoints: CloudstreamEndpoints = {}): Connectors {
  return {
    kafka: (context) => kafkaConnector(context, endpoints.stsEndpoint),
    objectStorage: objectStorageConnector(endpoints),
    cloudstream: cloudstreamConnector(endpoints),
    postgres: postgresConnector,
  };
}
